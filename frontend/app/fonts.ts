/** The two families of the app, from packages, so that a build needs no internet. */
import localFont from "next/font/local";

export const sans = localFont({
  src: "../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2",
  weight: "400 700",
  variable: "--font-instrument",
  display: "swap",
  fallback: ["system-ui", "sans-serif"],
});

export const mono = localFont({
  src: "../node_modules/@fontsource-variable/martian-mono/files/martian-mono-latin-wdth-normal.woff2",
  weight: "100 800",
  variable: "--font-martian",
  display: "swap",
  preload: false,
  declarations: [{ prop: "font-stretch", value: "75% 112.5%" }],
  fallback: ["ui-monospace", "monospace"],
});
