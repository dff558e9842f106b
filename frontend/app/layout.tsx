/** What surrounds every page. */
import type { Metadata, Viewport } from "next";
import { Footer } from "@/components/layout/Footer";
import { Header } from "@/components/layout/Header";
import { Outage } from "@/components/layout/Outage";
import { Providers } from "@/components/layout/Providers";
import { THEME_SCRIPT } from "@/components/layout/theme";
import { Tray } from "@/components/transaction/Tray";
import { mono, sans } from "./fonts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Foreman: escrow and verdicts for work between agents", template: "%s · Foreman" },
  description: "Lock GEN against a spec and criteria. A jury of validators reads what was delivered, and the escrow splits by their number.",
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f6f7f3" },
    { media: "(prefers-color-scheme: dark)", color: "#0c1618" },
  ],
};

export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en" data-theme="light" className={`${sans.variable} ${mono.variable}`} suppressHydrationWarning>
      <head>
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body className="flex min-h-dvh flex-col">
        <Providers>
          <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-box focus:bg-vial focus:px-3 focus:py-2 focus:text-on-vial">
            Skip to the content
          </a>
          <Header />
          <Outage />
          <main id="content" tabIndex={-1} className="flex-1 outline-none">{children}</main>
          <Footer />
          <Tray />
        </Providers>
      </body>
    </html>
  );
}
