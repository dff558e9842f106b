/** The level as a drawing: what stands there before the 3D scene, and instead of it where there is none. */
export function StillLevel({ percent }: { percent: number }) {
  const x = 90 + 320 * (percent / 100);
  return (
    <svg viewBox="0 0 500 400" className="absolute inset-0 h-full w-full" aria-hidden="true">
      <defs>
        <linearGradient id="vial-body" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="oklch(0.96 0.12 117)" />
          <stop offset="0.45" stopColor="oklch(0.885 0.2 119)" />
          <stop offset="1" stopColor="oklch(0.7 0.18 124)" />
        </linearGradient>
        <radialGradient id="vial-bubble" cx="0.38" cy="0.28" r="0.8">
          <stop offset="0" stopColor="#fff" />
          <stop offset="0.55" stopColor="oklch(0.95 0.07 117)" />
          <stop offset="1" stopColor="oklch(0.84 0.14 120)" />
        </radialGradient>
      </defs>
      <g transform="rotate(-7 250 200)">
        <rect x="10" y="120" width="480" height="160" rx="10" fill="var(--ink)" />
        <rect x="34" y="148" width="432" height="104" rx="52" fill="url(#vial-body)" />
        <ellipse cx={x} cy="188" rx="46" ry="30" fill="url(#vial-bubble)" />
        <path d="M190 148v104M310 148v104" stroke="var(--on-vial)" strokeWidth="4" />
        <rect x="64" y="160" width="372" height="14" rx="7" fill="#fff" opacity="0.45" />
        {Array.from({ length: 49 }, (_, at) => (
          <path key={at} d={`M${20 + at * 9.6} 280v-${at % 5 === 0 ? 14 : 7}`} stroke="var(--vial)" strokeWidth="1" />
        ))}
      </g>
    </svg>
  );
}
