/** The chosen colours: how they are kept, and how they are set before anything is painted. */
export const CHOICES = ["system", "light", "dark"] as const;
export type Choice = (typeof CHOICES)[number];

export const THEME_KEY = "foreman.theme";

/** Runs in the head of every page. */
export const THEME_SCRIPT =
  `try{var t=JSON.parse(localStorage.getItem("${THEME_KEY}"))}catch(e){}` +
  `document.documentElement.dataset.theme=t==="light"||t==="dark"?t:matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"`;

export function applyTheme(choice: Choice): void {
  const dark = choice === "dark" || (choice === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
