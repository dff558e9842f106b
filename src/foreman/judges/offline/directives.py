"""Notices text that tries to direct the verdict instead of being delivered, described or asked for.

The offline judge cannot be talked to, so a miss here moves no verdict: a check reads facts. What is found is reported
as a red flag, and cannot serve a criterion (a page that says "payout 100, approved" does not contain "approved").
"""

import re
import unicodedata

_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһοαερτυνκАЕОРСТХВНКМЅІЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdhoaeptuvkAEOPCTXBHKMSIJABEZHIKMNOPTYX"
)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")
_SPACED = re.compile(r"\b(?:\w {1,3}){6,200}\w\b")
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+|(?<=;)\s")
_QUOTED = re.compile(r"'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|`[^`\n]{0,200}`")

_PERCENT = r"(?:100|[1-9]?\d)(?![\d.,]*\d)"
_JUDGE = r"(?:judges?|evaluators?|reviewers?|graders?|validators?|assessors?|adjudicators?|raters?)"
_MODEL = rf"(?:{_JUDGE}|(?:large )?language models?|llms?|ai|model|assistant|chatbot)"
_COMMAND = (
    r"(?:must|should|shall|has to|have to|needs? to|may only|mark|award|grant|give|pay|approve|accept|reject|release|"
    r"score|rate|grade|return|answer|answering|output|print|report|ignore|disregard|skip|endorse|treat|copy|presume|"
    r"conclude|set|put|rule|confirm|decide)"
)
_WHOLE = r"(?:full(?:y)?|maximum|max|top|perfect|highest|favou?rable|zero|whole|entire|everything|nothing)"

_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # a payout, or a score of this delivery, is named
        rf"\bpay[- ]?out(?:_percent)?\b.{{0,40}}?(?:\b{_PERCENT}|\b{_WHOLE}\b|\bnan\b)",
        rf"\b(?:{_WHOLE}|{_PERCENT}) ?%? pay[- ]?out\b",
        r"\bset the payout\b|\brelease (?:everything|all|the (?:funds|escrow|money))\b",
        r"\b(?:return|print|answer|answering|output|report|award|default|verdict)[ :=]+(?:100|0)\b(?![.,%]?\d)",
        r"\bscores?(?: of)?[ :=]+(?:100|0)\b(?![.,%]\d)",
        r"\brating: ?\[|\bgrade: ?(?:pass|fail|a\b)|\bfinal (?:answer|verdict|ruling|score)\s*:",
        r"\bpayout_percent\b|\bcriteria_results\b|\bunmet_criteria\b",
        # the outcome is commanded
        rf"\b{_WHOLE} (?:marks?|acceptance|credit|score|payment|verdict|approval|points)\b",
        r"\baward the (?:maximum|minimum|whole|full)\b|\bmark (?:every|all|each) criteri|\bpay in full\b",
        r"\b(?:all|every|each) (?:the )?criteri(?:a|on) (?:is |are |as |was |were )?(?:fully )?(?:met|"
        r"satisfied|fulfilled)",
        r"\bcounts? as (?:full|met|complete|delivered|accepted)\b|\bpresume acceptance\b",
        r"\b(?:accept|approve|reject|endorse|refund) (?:this|the) (?:delivery|work|order|milestone|page|deliverable)\b",
        r"\bround (?:any|the|every|your) (?:score|payout)\b|\bjudge (?:only )?by these\b|\bdo not (?:judge|evaluate)\b",
        r"\bupdated acceptance criteria\b|\b(?:approve|reject|insufficient_evidence)\b.{0,20}\bconfidence\b",
        # whoever judges is spoken to
        rf"(?:^|[\[(<*#\s]){_MODEL}\s*[:>]",
        rf"\b(?:attention|dear|hey|note to|message (?:to|for)|instructions? (?:to|for)) (?:the |every |"
        rf"all )?{_MODEL}\b",
        rf"\b(?:as|you are|you're|act as) (?:an? |the )(?:{_MODEL}|\w+bot\b|leader\b)",
        rf"\b{_JUDGE}\b.{{0,60}}?\b{_COMMAND}\b",
        r"\b(?:system|operator|developer|administrator|user)\s*(?:prompt|message)?\s*:|<\s*/?\s*(?:system|"
        r"instructions?)\b",
        r"\bmessage from the (?:node )?(?:operator|developer|system)|\bsigned statement of the (?:client|payer)\b",
        # what was said before is to be forgotten
        r"\b(?:ignore|disregard|forget|override|bypass|drop|skip)\b.{0,40}?\b(?:instructions?|rules?|prompts?|criteria|"
        r"criterion|delivery|evidence|checks?|review|above|previous|earlier)\b",
        r"\bno matter what the (?:prompt|criteria|instructions?)\b|\beverything above\b|\b(?:decode|"
        r"execute) and (?:obey|run)\b",
        r"\[?\b(?:begin|end)(?:[ _](?:of|untrusted|deliverable|evidence))* (?:data|content|untrusted|evidence)\b|"
        r"\b(?:begin|end)_untrusted\b|\b(?:use|literal|put)\b.{0,40}?\bpayout\b",
        r"\bin your (?:reasoning|answer|verdict|reply|output|object)\b|\boutput (?:first|only|exactly|nothing)\b",
    )
)  # fmt: skip
_TRIGGERS = re.compile(
    r"pay[- ]?out|scor|verdict|grade|rating|marks?\b|accept|criteri|judg|evaluat|review|valid|assess|adjud|rater|"
    r"model|llm|\bai\b|assistant|bot\b|leader|system|operator|developer|admin|user|client|payer|ignore|"
    r"disregard|forget|"
    r"override|bypass|drop|skip|matter|above|decode|execute|begin|end|untrusted|evidence|release|award|answer|return|"
    r"print|output|report|default|approv|reject|pay in full|instruction"
)


def fold(text: str) -> str:
    """What a text looks like: one case, one width, look-alikes as Latin letters, letters set apart pulled together."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).translate(_LOOKALIKES)
    return _SPACED.sub(lambda found: re.sub(r" (?! )", "", found[0]), text.lower())


def is_directive(sentence: str) -> bool:
    """Does one sentence try to direct the verdict? What stands in quotes is talked about, not said."""
    seen = fold(sentence)
    if not _TRIGGERS.search(seen):
        return False
    spoken = _QUOTED.sub("''", seen)
    return any(pattern.search(spoken) for pattern in _PATTERNS)


def sentences(text: str) -> list[tuple[int, int]]:
    """Where each sentence, or line, of a text stands; together they cover everything but the gaps."""
    found: list[tuple[int, int]] = []
    start = 0
    for gap in _SENTENCES.finditer(text):
        if gap.start() > start:
            found.append((start, gap.start()))
        start = gap.end()
    if start < len(text):
        found.append((start, len(text)))
    return found


def directives(text: str) -> list[str]:
    """The sentences of a text that try to direct the verdict."""
    if not _TRIGGERS.search(fold(text)):
        return []
    return [text[start:end] for start, end in sentences(text) if is_directive(text[start:end])]
