/** Plays a scenario step by step against the real transition table: where one is, who acts, where the money goes. */
"use client";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/Button";
import { StateTag } from "@/components/ui/Tag";
import { Level } from "@/components/verdict/Level";
import { MoneyBar } from "@/components/money/MoneyBar";
import { parseGen } from "@/lib/format/gen";
import { LIVES, play, type ContractName, type Frame, type Life, type Scenario } from "@/lib/lifecycle/table";
import type { Part } from "@/lib/lifecycle/money";
import { StateMap } from "./StateMap";

const NAMES: Record<ContractName, string> = { foreman: "An order", verdict_escrow: "A milestone of an agreement" };

export function Player() {
  const [name, setName] = useState<ContractName>("foreman");
  const [id, setId] = useState(LIVES.foreman.scenarios[0]!.id);
  const life = LIVES[name];
  const scenario = life.scenarios.find((row) => row.id === id) ?? life.scenarios[0]!;
  const choose = (next: ContractName) => {
    setName(next);
    setId(LIVES[next].scenarios[0]!.id);
  };
  return (
    <div className="measure">
      <fieldset className="mb-6 flex flex-wrap gap-2">
        <legend className="sr-only">Contract</legend>
        {(Object.keys(LIVES) as ContractName[]).map((contract) => (
          <label key={contract} className="cursor-pointer rounded-box border border-rule-2 px-4 py-2 has-checked:border-ink has-checked:bg-sheet has-focus-visible:outline-2 has-focus-visible:outline-busy">
            <input type="radio" name="contract" className="sr-only" checked={name === contract} onChange={() => choose(contract)} />
            {NAMES[contract]}
          </label>
        ))}
      </fieldset>
      <div className="grid gap-8 border-t pt-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <Scenarios life={life} at={scenario.id} onChoose={setId} />
        <Stage key={`${name}/${scenario.id}`} life={life} scenario={scenario} />
      </div>
    </div>
  );
}

function Scenarios({ life, at, onChoose }: { life: Life; at: string; onChoose: (id: string) => void }) {
  return (
    <nav aria-label="Scenarios">
      <ul className="flex flex-wrap gap-x-1 gap-y-0.5 lg:flex-col">
        {life.scenarios.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              aria-current={row.id === at ? "true" : undefined}
              onClick={() => onChoose(row.id)}
              className="w-full rounded-box px-3 py-1.5 text-left text-ink-2 hover:bg-well hover:text-ink aria-[current]:bg-well aria-[current]:font-[560] aria-[current]:text-ink"
            >
              {row.title}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Stage({ life, scenario }: { life: Life; scenario: Scenario }) {
  const frames = play(life, scenario);
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const last = frames.length - 1;
  useEffect(() => {
    if (!playing) return;
    if (at >= last) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => setAt(at + 1), 1800);
    return () => clearTimeout(timer);
  }, [playing, at, last]);
  const frame = frames[at]!;
  return (
    <div className="min-w-0">
      <h2 className="text-title">{scenario.title}</h2>
      <p className="mt-1 max-w-read text-ink-2">{scenario.story}</p>
      <div className="my-5 flex flex-wrap items-center gap-2">
        <Button size="small" disabled={at === 0} onClick={() => { setPlaying(false); setAt(at - 1); }}>Back</Button>
        <Button size="small" weight="primary" onClick={() => { if (at >= last) setAt(0); setPlaying(!playing || at >= last); }}>
          {playing ? "Pause" : at >= last ? "Play again" : "Play"}
        </Button>
        <Button size="small" disabled={at >= last} onClick={() => { setPlaying(false); setAt(at + 1); }}>Next</Button>
        <span className="tick ml-2 text-ink-3">Step {at + 1} of {frames.length}</span>
      </div>
      <StateMap life={life} frames={frames} at={at} />
      <div className="mt-6 grid gap-8 md:grid-cols-[minmax(0,1fr)_18rem]" aria-live="polite">
        <Moment frame={frame} />
        <MoneyBar parts={partsOf(life, frame)} />
      </div>
    </div>
  );
}

function Moment({ frame }: { frame: Frame }) {
  const { step, transition } = frame;
  const waited = step.wait_days ? `${step.wait_days} days later` : step.wait_hours ? `${step.wait_hours} hours later` : "";
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <code>{step.do}</code> <span className="text-ink-2">by {step.by.replaceAll("_", " ")}{waited && `, ${waited}`}</span>
      </p>
      <p className="mt-2 text-lead">{step.say}</p>
      <p className="mt-3 flex items-center gap-2">
        <StateTag state={frame.from} /> <span aria-hidden="true">→</span><span className="sr-only">to</span> <StateTag state={frame.to} />
        {(step.refused || step.undetermined) && <span className="text-bad">{step.refused ? "refused, nothing changed" : "no agreement, nothing changed"}</span>}
      </p>
      {step.percent !== undefined && <div className="mt-5"><Level percent={step.percent} /></div>}
      {transition && (
        <dl className="mt-5 flex flex-col gap-1.5 border-t pt-4 text-small">
          {([["Who may", transition.who], ["When", transition.when], ["Money", transition.money]] as const).map(([label, text]) => (
            <div key={label} className="grid grid-cols-[5rem_minmax(0,1fr)] gap-3"><dt className="text-ink-3">{label}</dt><dd>{text}</dd></div>
          ))}
        </dl>
      )}
    </div>
  );
}

const KINDS: Record<string, Part["kind"]> = { escrow: "escrow", provider: "paid", client: "refunded", payer: "refunded" };

function partsOf(life: Life, frame: Frame): Part[] {
  return Object.entries(frame.step.money_gen).map(([who, gen]) => {
    const read = parseGen(gen);
    const label = life.money_of[who] ?? who;
    return { label: label.charAt(0).toUpperCase() + label.slice(1), wei: read.ok ? read.wei : 0n, kind: KINDS[who] ?? "escrow" };
  });
}

