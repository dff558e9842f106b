/** The limits of both contracts, as their documents give them. A test compares them with the contracts' own constants. */
import { GEN } from "@/lib/format/gen";

export const MIN_ESCROW_WEI = GEN / 1000n;
export const MAX_TITLE = 120;
export const MAX_SPEC = 4000;
export const MAX_CRITERIA = 2000;
export const MAX_NOTE = 1000;
export const MAX_CONTEXT = 2000;
export const TOLERANCE = 15;
export const ACCEPT_AT = 50;
export const MAX_DEADLINE_DAYS = 365;
export const MAX_EXTENSION_DAYS = 30;
export const APPEAL_DAYS = 7;
export const MAX_CLAIMS_PER_ADDRESS = 3;

export const MAX_MILESTONES = 20;
export const MAX_MILESTONE_CRITERIA = 12;
export const MIN_CRITERION = 8;
export const MAX_CRITERION = 300;
export const MAX_DOMAINS = 20;
export const MAX_EVIDENCE_URLS = 6;
export const MIN_ARGUMENT = 20;
export const MAX_ARGUMENT = 2000;
export const MAX_RATIONALE = 1200;
export const WINDOW_HOURS = 72;
export const STALL_HOURS = 48;
export const ARBITER_HOURS = 14 * 24;
export const MAX_SUBMISSIONS = 3;
export const MAX_ROUNDS = 3;
