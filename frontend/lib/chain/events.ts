/** The node's stream of news: changes of status, and seats as they speak. Reconnects by itself and resumes where it was. */
import type { Change } from "./node";

export type SeatNews = {
  hash: string;
  block: number;
  round: number;
  seat: number;
  judge: string;
  vote: string | null;
  stage: "asking" | "answered" | "voted";
};

export type Listener = {
  onChange: (change: Change) => void;
  onSeat: (news: SeatNews) => void;
  /** true once connected, false while there is no connection. */
  onLive: (live: boolean) => void;
  /** The chain is another one, or went back: forget everything. */
  onReset: () => void;
};

/** Follow the stream until the returned function is called. */
export function follow(origin: string, listener: Listener): () => void {
  const source = new EventSource(`${origin}/events`);
  source.onopen = () => listener.onLive(true);
  source.onerror = () => listener.onLive(false);
  source.addEventListener("change", (event) => listener.onChange(JSON.parse((event as MessageEvent<string>).data) as Change));
  source.addEventListener("seat", (event) => listener.onSeat(JSON.parse((event as MessageEvent<string>).data) as SeatNews));
  source.addEventListener("reset", () => listener.onReset());
  return () => source.close();
}
