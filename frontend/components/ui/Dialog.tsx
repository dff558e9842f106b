/** A modal dialog on the platform's own element: focus is kept in it, Escape and a click beside it close it. */
"use client";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { createPortal } from "react-dom";

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!box.current!.open) box.current!.showModal(); // removing the element closes it
  }, []);
  return createPortal(
    <dialog
      ref={box}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === box.current && onClose()}
      className="m-auto max-h-[85dvh] w-[min(30rem,calc(100vw-2rem))] overflow-y-auto rounded-box border border-rule-2 bg-sheet p-0 shadow-lift backdrop:bg-[oklch(0.15_0.02_205/0.55)]"
    >
      <div className="p-6">
        <div className="mb-4 flex items-start justify-between gap-4">
          <h2 id={id} className="text-title">{title}</h2>
          <button type="button" onClick={onClose} className="grid size-9 shrink-0 place-items-center rounded-box hover:bg-well">
            <span className="sr-only">Close</span>
            <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d="M1 1l12 12M13 1L1 13" stroke="currentColor" strokeWidth="2" /></svg>
          </button>
        </div>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}
