import { Icon } from '../../icons/icon.tsx'
import { Said } from '../../parts/said.tsx'
import type { FoundLine } from './found-line.ts'

/** One line each, with where it stands in its title. */
export function FoundList({ lines, label, wrap }: { lines: readonly FoundLine[]; label: string; wrap?: boolean }) {
  return (
    <ul className="check-list found meta" aria-label={label}>
      {lines.map(({ key, text, title, ok }) => (
        <li key={key}>
          <Icon name={ok ? 'check' : 'x'} off={!ok} />
          <span className={wrap ? 'wrap' : 'cut'} title={`${text}\n${title}`}>
            <Said text={text} />
          </span>
        </li>
      ))}
    </ul>
  )
}
