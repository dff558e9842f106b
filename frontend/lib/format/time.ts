/** Moments and spans, in words. Seconds since 1970 in, text out; the same on every machine, because everything is UTC. */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 86400;

/** `3 Mar 2026, 14:05 UTC`. */
export function moment(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (!Number.isFinite(date.getTime())) return "an unknown time";
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${clock} UTC`;
}

export function isoMoment(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  return Number.isFinite(date.getTime()) ? date.toISOString() : undefined;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** A span in its two largest units: `6 days 4 h`, `2 h 10 min`, `45 s`. */
export function span(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  const days = Math.floor(left / DAY);
  const hours = Math.floor((left % DAY) / HOUR);
  const minutes = Math.floor((left % HOUR) / MINUTE);
  if (days > 0) return join(`${days} ${days === 1 ? "day" : "days"}`, hours && `${hours} h`);
  if (hours > 0) return join(`${hours} h`, minutes && `${minutes} min`);
  if (minutes > 0) return join(`${minutes} min`, minutes < 5 && left % MINUTE && `${left % MINUTE} s`);
  return `${left} s`;
}

function join(first: string, second: string | number | false): string {
  return second ? `${first} ${second}` : first;
}

/** How long ago something happened: `2 h 10 min ago`, `now`. What happened is never told as still to come, whatever the clocks say. */
export function ago(seconds: number, now: number): string {
  return now - seconds < 5 ? "now" : `${span(now - seconds)} ago`;
}
