/** This browser's time in seconds, one tick for everything that shows it, so that what stands side by side moves together. */
import { makeStore, type Store } from "@/lib/store";

const ticks = makeStore<number | null>(null);
let watchers = 0;
let timer: ReturnType<typeof setInterval> | null = null;

const tick = () => ticks.set(Date.now() / 1000);

/** null while nobody watches. */
export const localClock: Pick<Store<number | null>, "get" | "subscribe"> = {
  get: ticks.get,
  subscribe(listener) {
    if (watchers++ === 0) {
      tick();
      timer = setInterval(tick, 1000);
    }
    const stop = ticks.subscribe(listener);
    return () => {
      stop();
      if (--watchers > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
      ticks.set(null);
    };
  },
};
