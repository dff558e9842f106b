/** The one button of the app, in three weights, as a button or as a link that looks like one. */
import Link from "next/link";
import type { ComponentProps } from "react";

const WEIGHTS = {
  primary: "bg-action text-on-action border-action hover:bg-action-hover hover:border-action-hover",
  plain: "bg-sheet text-ink border-edge hover:border-ink",
  quiet: "bg-transparent text-ink border-transparent hover:bg-well",
} as const;

const SIZES = { normal: "min-h-10 px-4 py-1.5 text-base", small: "min-h-8 px-3 py-1 text-small" } as const;

type Look = { weight?: keyof typeof WEIGHTS; size?: keyof typeof SIZES };

function look({ weight = "plain", size = "normal" }: Look, more = ""): string {
  return (
    "inline-flex items-center justify-center gap-2 rounded-box border font-[560] max-w-full [overflow-wrap:break-word] sm:whitespace-nowrap transition-colors duration-100 " +
    `disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55 ${WEIGHTS[weight]} ${SIZES[size]} ${more}`
  );
}

export function Button({ weight, size, className, type = "button", ...rest }: Look & ComponentProps<"button">) {
  return <button type={type} className={look({ weight, size }, className)} {...rest} />;
}

export function ButtonLink({ weight, size, className, ...rest }: Look & ComponentProps<typeof Link>) {
  return <Link className={look({ weight, size }, className)} {...rest} />;
}
