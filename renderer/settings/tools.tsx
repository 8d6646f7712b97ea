import { startTransition, useOptimistic } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { IconButton } from '../parts/button.tsx'
import { Said } from '../parts/said.tsx'
import { Switch } from '../parts/switch.tsx'
import { More } from './fields/more.tsx'
import { Setting } from './fields/setting.tsx'
import type { EngineStatus, ServertoolView } from '../../shared/state.ts'

type Servertools = NonNullable<EngineStatus['servertools']>

/** Tools that run in Onward: one switch for all, one for each, and who decided its state. */
export function Tools({ servertools }: { servertools: Servertools }) {
  const { w } = useWords()
  const live = useLive()
  const [on, change] = useSwitch(null, servertools.on)
  const t = w.settings
  const forced = servertools.by === 'env'
  const kinds = [
    ['tool_call', t.toolsCalled],
    ['auto', t.toolsAuto],
  ] as const
  return (
    <section aria-label={t.tools}>
      <div className="set-row">
        <div>
          <h2>{t.tools}</h2>
          <p className="meta">{t.toolsHint}</p>
        </div>
        <Switch checked={on} disabled={!live || forced} onChange={(next) => change(next ? null : false)}>
          <span>{t.toolsAll}</span>
        </Switch>
      </div>
      {forced && (
        <p className="tool-note">
          <Shape shape="paused" />
          <span>
            <Said text={servertools.on ? t.toolsForcedOn : t.toolsForcedOff} />
          </span>
        </p>
      )}
      {kinds.map(([trigger, heading]) => {
        const tools = servertools.tools.filter((tool) => tool.trigger === trigger)
        return (
          tools.length > 0 && (
            <div key={trigger} className="tool-group">
              <h3 className="meta">{heading}</h3>
              <ul className="tools" aria-label={heading}>
                {tools.map((tool) => (
                  <ToolRow key={tool.name} tool={tool} allOn={on} />
                ))}
              </ul>
            </div>
          )
        )
      })}
      <p className="meta tools-frozen">{t.toolsFrozen}</p>
      <Setting name="servertools.maxDepth" unit="rounds" />
      <Setting name="servertools.maxSeconds" unit="minutes" />
      <Setting name="servertools.webFetch.allow" />
      <More>
        <Setting name="servertools.declare" />
        <Setting name="servertools.beside" />
        <Setting name="servertools.webFetch.maxChars" unit="characters" />
        <Setting name="servertools.webFetch.timeoutSeconds" unit="seconds" />
        <Setting name="servertools.webFetch.maxBytes" unit="megabytes" />
        <Setting name="servertools.webSearch.results" unit="results" />
      </More>
    </section>
  )
}

function ToolRow({ tool, allOn }: { tool: ServertoolView; allOn: boolean }) {
  const { w } = useWords()
  const live = useLive()
  const [on, change] = useSwitch(tool.name, tool.on)
  const t = w.settings
  const known: Readonly<Record<string, string>> = t.toolAbout
  return (
    <li className="tool">
      <div className="hstack">
        <Switch checked={on} disabled={!live || !allOn || tool.by === 'policy'} onChange={change}>
          <span className="mono">{tool.name}</span>
        </Switch>
        <span className="grow" />
        {tool.by === 'config' && (
          <IconButton icon="undo" small name={t.toolDefault(tool.name)} disabled={!live} onClick={() => change(null)} />
        )}
        <span className="meta cut">{t.toolBy[tool.by]}</span>
      </div>
      <p className="meta">{known[tool.name] ?? tool.about}</p>
      {/* A tool that is on only by default may lack something without a sign. */}
      {tool.problem !== null && allOn && (
        <p className="tool-note">
          <Shape shape={tool.by === 'default' ? 'idle' : 'needs'} name={t.toolProblem} />
          <span>{tool.problem}</span>
        </p>
      )}
    </li>
  )
}

/** The switch stands where it was put while the engine is asked, and goes back when it refuses. */
function useSwitch(tool: string | null, on: boolean): [boolean, (wish: boolean | null) => void] {
  const { actions } = useApp()
  const [shown, show] = useOptimistic(on)
  return [
    shown,
    (wish) =>
      startTransition(async () => {
        if (wish !== null || tool === null) show(wish ?? true)
        await actions.setServertool(tool, wish)
      }),
  ]
}
