/** The life of orders and milestones: the same table that the contract tests run. */
import data from "../../../contracts/lifecycle.json";

export type ContractName = keyof typeof data.contracts;

export type State = { label: string; terminal: boolean; holds_money: boolean; means: string; number?: number };

export type Transition = {
  method: string;
  from: string[];
  to: string[];
  who: string;
  when: string;
  judged: boolean;
  payable: boolean;
  money: string;
  /** The state stays what it was: `to` mirrors `from`. */
  stays?: boolean;
};

export type Step = {
  do: string;
  by: string;
  to: string;
  money_gen: Record<string, string>;
  say: string;
  value_gen?: string;
  percent?: number;
  verdict?: string;
  wait_days?: number;
  wait_hours?: number;
  refused?: boolean;
  undetermined?: boolean;
};

export type Scenario = { id: string; title: string; story: string; steps: Step[] };

export type Life = {
  about: string;
  parties: string[];
  money_of: Record<string, string>;
  states: Record<string, State>;
  transitions: Transition[];
  scenarios: Scenario[];
};

export const LIVES = data.contracts as unknown as Record<ContractName, Life>;

export type Frame = { from: string; to: string; step: Step; transition: Transition | null; legal: boolean };

/** Play a scenario against the table. A frame is legal when the table allows it, or when it says that nothing changes. */
export function play(life: Life, scenario: Scenario): Frame[] {
  let at = "none";
  return scenario.steps.map((step) => {
    const from = at;
    const transition = life.transitions.find((row) => row.method === step.do && row.from.includes(from)) ?? null;
    const still = step.refused === true || step.undetermined === true;
    const allowed = transition !== null && (transition.stays ? step.to === from : transition.to.includes(step.to));
    at = step.to;
    return { from, to: step.to, step, transition, legal: still ? step.to === from && transition !== null : allowed };
  });
}

/** The rows of the table that leave a state. */
export function exits(life: Life, state: string): Transition[] {
  return life.transitions.filter((row) => row.from.includes(state));
}
