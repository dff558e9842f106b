/** Tailwind v4 is the only style step. */
export default { plugins: { "@tailwindcss/postcss": {} } };
