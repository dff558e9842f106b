/** The shared table: every scenario is legal, conserves money, and together they use every transition and every end. */
import { describe, expect, it } from "vitest";
import { parseGen } from "@/lib/format/gen";
import { exits, LIVES, play, type ContractName } from "@/lib/lifecycle/table";

function wei(text: string): bigint {
  const read = parseGen(text);
  if (!read.ok) throw new Error(text);
  return read.wei;
}

describe.each(Object.keys(LIVES) as ContractName[])("%s", (name) => {
  const life = LIVES[name];

  it.each(life.scenarios.map((scenario) => [scenario.id, scenario] as const))("%s follows the table", (_id, scenario) => {
    for (const frame of play(life, scenario)) expect(frame.legal, `${frame.step.do} from ${frame.from} to ${frame.to}`).toBe(true);
  });

  it.each(life.scenarios.map((scenario) => [scenario.id, scenario] as const))("%s conserves money at every step", (_id, scenario) => {
    let put = 0n;
    for (const step of scenario.steps) {
      if (!step.refused && !step.undetermined) put += wei(step.value_gen ?? "0");
      const held = Object.values(step.money_gen).reduce((sum, amount) => sum + wei(amount), 0n);
      expect(held, step.say).toBe(put);
    }
  });

  it("ends every scenario where no money is held", () => {
    for (const scenario of life.scenarios) {
      const last = scenario.steps.at(-1)!;
      expect(life.states[last.to]?.terminal, scenario.id).toBe(true);
      expect(last.money_gen.escrow, scenario.id).toBe("0");
    }
  });

  it("plays every transition and reaches every state", () => {
    const frames = life.scenarios.flatMap((scenario) => play(life, scenario));
    expect(new Set(frames.map((frame) => frame.step.do))).toEqual(new Set(life.transitions.map((row) => row.method)));
    expect(new Set(["none", ...frames.map((frame) => frame.to)])).toEqual(new Set(Object.keys(life.states)));
  });

  it("leaves no state that holds money without an exit", () => {
    for (const [state, { holds_money }] of Object.entries(life.states)) if (holds_money) expect(exits(life, state)).not.toEqual([]);
  });

  it("notices a scenario that breaks the table", () => {
    const scenario = structuredClone(life.scenarios[0]!);
    scenario.steps[1]!.to = "none";
    expect(play(life, scenario).every((frame) => frame.legal)).toBe(false);
  });
});
