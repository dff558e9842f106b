/** How Foreman works, in five steps, and why nobody needs to be trusted. */
import type { Metadata } from "next";
import { EXAMPLE_MARKS } from "@/components/home/Anatomy";
import { BY_CONSTRUCTION, STANDARDS, STEPS } from "@/components/home/steps";
import { Level } from "@/components/verdict/Level";
import { ButtonLink } from "@/components/ui/Button";
import { PageHead, Section } from "@/components/ui/Page";

export const metadata: Metadata = { title: "How it works" };

export default function HowItWorksPage() {
  return (
    <>
      <PageHead
        title="How Foreman works"
        lead={`${STANDARDS.slice(0, -1).join(", ")} and ${STANDARDS.at(-1)}: the standards for commerce between agents describe the happy path, and leave the moment of disagreement to somebody else. Foreman is that somebody else: a contract that holds the money and lets a jury of validators settle it.`}
        actions={<ButtonLink href="/lifecycle/">Play every scenario</ButtonLink>}
      />
      <div className="measure">
        {STEPS.map((step, at) => (
          <Section key={step.title} label={step.title} note={`step ${at + 1} of ${STEPS.length}`}>
            <div className="flex max-w-read flex-col gap-3 text-read">{step.body.map((text) => <p key={text.slice(0, 30)}>{text}</p>)}</div>
            {step.drawn && <div className="mt-6 max-w-read"><Level percent={60} marks={EXAMPLE_MARKS} label="Example" /></div>}
          </Section>
        ))}
        <Section label="Security by construction">
          <dl className="grid gap-x-10 gap-y-6 md:grid-cols-2">
            {BY_CONSTRUCTION.map((row) => (
              <div key={row.title}><dt className="font-[560]">{row.title}</dt><dd className="mt-1 text-ink-2">{row.body}</dd></div>
            ))}
          </dl>
        </Section>
        <Section label="Honest limits">
          <ul className="flex max-w-read list-[square] flex-col gap-2 pl-5 marker:text-ink-3">
            <li>A provider can host evidence it controls. The form says so and suggests addresses that stay the same.</li>
            <li>The leading seat’s number pays. Up to 15 points of it are luck, and the line at 50 lies inside that band.</li>
            <li>A claimant can hold an order until its deadline for nothing. Short deadlines are the answer.</li>
            <li>The appeal is the client’s alone, and it can only add.</li>
            <li>On today’s live networks the value attached to a call that reverts or stays undecided is kept by the network; here it returns.</li>
          </ul>
        </Section>
      </div>
    </>
  );
}
