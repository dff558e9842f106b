/** The mark: the vial of a spirit level, its bubble between the lines. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size * 1.6} height={size} viewBox="0 0 48 30" aria-hidden="true" focusable="false">
      <rect x="1.25" y="4.25" width="45.5" height="21.5" rx="10.75" fill="var(--vial)" stroke="var(--ink)" strokeWidth="2.5" />
      <ellipse cx="24" cy="14" rx="7.5" ry="5.2" fill="#fdfff4" stroke="var(--on-vial)" strokeWidth="1.5" />
      <path d="M14.5 5v20M33.5 5v20" stroke="var(--on-vial)" strokeWidth="2" />
    </svg>
  );
}
