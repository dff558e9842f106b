/** When the scene may draw: every frame while it is seen and motion is welcome; one still frame per change otherwise. */

export type Pace = {
  /** Something changed: draw it, even when nothing moves. */
  touch: () => void;
  dispose: () => void;
};

type Options = {
  /** The element that must be on screen. */
  holder: Element;
  draw: (seconds: number) => void;
  /** A machine that draws in software gets still frames only. */
  slow: boolean;
};

export function startPace({ holder, draw, slow }: Options): Pace {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let seen = false;
  let frame = 0;
  let stale = true;

  const moving = () => seen && !document.hidden && !calm.matches && !slow;
  const tick = (ms: number) => {
    frame = 0;
    draw(ms / 1000);
    stale = false;
    if (moving()) frame = requestAnimationFrame(tick);
  };
  const wake = () => {
    if (frame === 0 && seen && !document.hidden && (moving() || stale)) frame = requestAnimationFrame(tick);
  };
  const watch = new IntersectionObserver(([entry]) => {
    seen = entry?.isIntersecting ?? false;
    wake();
  });
  watch.observe(holder);
  calm.addEventListener("change", wake);
  document.addEventListener("visibilitychange", wake);
  return {
    touch: () => {
      stale = true;
      wake();
    },
    dispose: () => {
      if (frame !== 0) cancelAnimationFrame(frame);
      watch.disconnect();
      calm.removeEventListener("change", wake);
      document.removeEventListener("visibilitychange", wake);
    },
  };
}
