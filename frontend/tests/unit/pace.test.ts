/** The scene draws only while it is seen and motion is welcome, and a still frame follows what it shows. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { startPace } from "@/scene/pace";

let frames: FrameRequestCallback[] = [];
let sight: (seen: boolean) => void = () => {};
let calm = { matches: false, change: () => {} };
let watching = 0;

beforeEach(() => {
  frames = [];
  calm = { matches: false, change: () => {} };
  watching = 0;
  vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal("cancelAnimationFrame", () => (frames = []));
  vi.stubGlobal("matchMedia", () => ({
    get matches() {
      return calm.matches;
    },
    addEventListener: (_: string, listener: () => void) => {
      calm.change = listener;
      watching++;
    },
    removeEventListener: () => watching--,
  }));
  vi.stubGlobal("IntersectionObserver", class {
    constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
      sight = (seen) => tell([{ isIntersecting: seen }]);
    }
    observe() {
      watching++;
    }
    disconnect() {
      watching--;
    }
  });
});

/** Let one frame pass; false when none was asked for. */
function pass(): boolean {
  const next = frames.shift();
  next?.(16);
  return next !== undefined;
}

const start = (slow = false) => {
  const draw = vi.fn();
  return { draw, pace: startPace({ holder: document.body, draw, slow }) };
};

describe("pace", () => {
  it("draws nothing before it is seen, frame after frame while it is, and stops when it leaves", () => {
    const { draw } = start();
    expect(pass()).toBe(false);
    sight(true);
    for (let count = 1; count <= 3; count++) {
      expect(pass()).toBe(true);
      expect(draw).toHaveBeenCalledTimes(count);
    }
    sight(false);
    pass();
    expect(pass()).toBe(false);
  });

  it("draws one still frame under reduced motion, and another when the data changes", () => {
    calm.matches = true;
    const { draw, pace } = start();
    sight(true);
    expect(pass()).toBe(true);
    expect(pass()).toBe(false);
    pace.touch();
    expect(pass()).toBe(true);
    expect(pass()).toBe(false);
    expect(draw).toHaveBeenCalledTimes(2);
  });

  it("starts and stops when the wish for calm changes while it is open", () => {
    calm.matches = true;
    const { draw } = start();
    sight(true);
    pass();
    calm.matches = false;
    calm.change();
    expect(pass() && pass() && pass()).toBe(true);
    calm.matches = true;
    pass();
    expect(pass()).toBe(false);
    expect(draw).toHaveBeenCalledTimes(5);
  });

  it("never moves on a machine that draws in software", () => {
    start(true);
    sight(true);
    expect(pass()).toBe(true);
    expect(pass()).toBe(false);
  });

  it("lets go of everything", () => {
    const { pace } = start();
    expect(watching).toBe(2);
    pace.dispose();
    expect(watching).toBe(0);
  });
});
