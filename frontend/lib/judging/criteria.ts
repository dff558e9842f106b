/** What a careful client would say about acceptance criteria before anyone is paid by them. */

export type Remark = { line: string; tone: "warn" | "bad"; sentence: string };

const VAGUE = /\b(good|nice|great|high[- ]quality|quality|professional|appropriate|proper(?:ly)?|clean|beautiful|modern|user[- ]friendly|as expected|satisf(?:y|ying|actory)|well[- ]written|reasonable|adequate|etc)\b/i;
const TO_THE_JUDGE = /\b(judge|juror|validator|payout|percent(?:age)? must|score|verdict|award|approve|ignore (?:all|the|any)|you must|system prompt|json object with payout)\b/i;
const UNSEEN_PLACE = /\b(e-?mail(?:ed)? (?:me|us)|call me|private repo|log ?in|behind (?:a )?login|on my machine|in person|phone)\b/i;

/** The criteria one by one: lines, with their numbering or bullets taken off. */
export function splitCriteria(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*•–]|\(?[0-9]{1,2}[.):]|\[[0-9x ]\])\s*/u, "").trim())
    .filter((line) => line !== "");
}

/** Remarks on single criteria; an empty list is what one wants. */
export function reviewCriteria(text: string): Remark[] {
  return splitCriteria(text).flatMap((line): Remark[] => {
    if (TO_THE_JUDGE.test(line))
      return [{ line, tone: "bad", sentence: "This speaks to the judge. Such a criterion is void: it is reported and does not count." }];
    if (UNSEEN_PLACE.test(line)) return [{ line, tone: "warn", sentence: "The jury sees one public page and nothing else." }];
    const vague = VAGUE.exec(line);
    if (vague) return [{ line, tone: "warn", sentence: `“${vague[0]}” means something else to every judge. Say what can be seen on the page.` }];
    if (line.length < 8) return [{ line, tone: "warn", sentence: "This is very short. Two judges should read it the same way." }];
    return [];
  });
}
