/** The mark: a full stop that goes on. */
export function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" role="img" aria-label="Onward">
      <circle cx="5" cy="10" r="2.6" fill="currentColor" stroke="none" />
      <path d="M10 4.5 15.5 10 10 15.5" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
