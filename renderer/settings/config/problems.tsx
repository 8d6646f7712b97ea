import type { ConfigProblem } from '../../../shared/config/config-text.ts'
import { useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'

/** Each place that is wrong; a click goes there. */
export function Problems({ problems, show }: { problems: readonly ConfigProblem[]; show: (line: number) => void }) {
  const { w, s } = useWords()
  const t = w.config
  return (
    <ul id="config-problems" className="code-problems" aria-label={t.problems} hidden={problems.length === 0}>
      {problems.map((problem, i) => {
        const { line, column, path } = problem
        return (
          <li key={i}>
            <button type="button" onClick={() => show(line)}>
              <Shape shape="failed" />
              <span className="num">{t.at(line, column)}</span>
              {path !== '' && <code className="mono">{path}</code>}
              <span className="failed">{s.configProblem(problem)}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
