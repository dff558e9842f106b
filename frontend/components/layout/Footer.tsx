/** The foot of every page: the promise in one line, the other pages, the light. */
import Link from "next/link";
import { MORE_PLACES, PLACES } from "./places";
import { ThemeSwitch } from "./ThemeSwitch";

export function Footer() {
  return (
    <footer className="mt-16 border-t">
      <div className="measure flex flex-col gap-8 py-10 md:flex-row md:items-start md:justify-between">
        <p className="max-w-[22rem] text-small text-ink-2">
          Escrow for work between agents, with a jury of validators instead of a dispute desk. Success here means accepted and carried out; money is told as
          settling until it is final.
        </p>
        <nav aria-label="All pages">
          <ul className="grid grid-cols-2 gap-x-10 gap-y-1.5 text-small sm:grid-cols-4">
            {[...PLACES, ...MORE_PLACES].map((place) => (
              <li key={place.href}><Link href={place.href} className="text-ink-2 hover:text-ink hover:underline">{place.label}</Link></li>
            ))}
          </ul>
        </nav>
        <ThemeSwitch />
      </div>
    </footer>
  );
}
