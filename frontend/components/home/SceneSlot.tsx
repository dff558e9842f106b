/** Where the 3D escrow scene stands. A drawing holds the place; the scene takes it over on idle, and only where a graphics card draws it. */
"use client";
import { useEffect, useRef, useState } from "react";
import { useStats } from "@/lib/hooks/orders";
import type { SceneHandle, SceneState } from "@/scene/escrow";
import { hasGraphicsCard } from "@/lib/webgl";
import { StillLevel } from "./StillLevel";

const IDLE_MS = 2500;

export function SceneSlot() {
  const box = useRef<HTMLDivElement>(null);
  const handle = useRef<SceneHandle | null>(null);
  const state = useSceneState();
  const latest = useRef(state);
  const [drawn, setDrawn] = useState(false);
  latest.current = state;

  useEffect(() => {
    const holder = box.current!;
    let gone = false;
    const load = async () => {
      if (gone || !hasGraphicsCard()) return;
      const { mountEscrow } = await import("@/scene/escrow");
      if (gone) return;
      handle.current = mountEscrow(holder, latest.current);
      setDrawn(handle.current !== null);
    };
    const timer = setTimeout(() => ("requestIdleCallback" in window ? requestIdleCallback(() => void load()) : void load()), IDLE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
      handle.current?.dispose();
      handle.current = null;
    };
  }, []);
  useEffect(() => handle.current?.show(state), [state]);

  return (
    <div className="relative aspect-[5/4] w-full max-lg:max-w-[36rem]">
      <div aria-hidden="true" ref={box} className="absolute inset-0" data-scene={drawn ? "drawn" : "still"} />
      {!drawn && <StillLevel percent={state.percent} />}
      <p className="sr-only">A spirit level, its bubble where the money went: {state.percent} percent to providers.</p>
    </div>
  );
}

/** What the scene shows: which part of the settled money went to providers, and how much still waits. */
function useSceneState(): SceneState {
  const stats = useStats().data;
  const settled = stats ? stats.payoutsWei + stats.refundsWei : 0n;
  const percent = stats && settled > 0n ? Number((stats.payoutsWei * 100n) / settled) : 50;
  const locked = stats ? stats.volumeWei + stats.depositsWei - settled : 0n;
  const all = stats ? stats.volumeWei + stats.depositsWei : 0n;
  const held = all > 0n ? Number((locked * 100n) / all) / 100 : 0.5;
  const [shown, setShown] = useState<SceneState>({ percent: 50, held: 0.5 });
  useEffect(() => setShown({ percent, held }), [percent, held]);
  return shown;
}
