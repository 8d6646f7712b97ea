/** Everything that is recorded of one turn, as labelled lines. */
import type { Sentences } from '../../../shared/sentences/index.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import { targetText } from '../../../shared/target-text.ts'
import { withoutTried } from '../../../shared/setup/tried.ts'

export function turnFacts(record: TurnRecord, sentences: Sentences, sessionName: string | null): [string, string][] {
  const { figures, routeReason, passedOver } = sentences
  const { route, usage, error, tried = [], dropped = [], servertools = [] } = record
  // rests as they were when the route was chosen
  const began = record.at - record.durationMs
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['Turn', [`${sentences.turn(record.turn ?? null, record.kind)}, ended ${figures.instant(record.at)}`]],
    [
      'Session',
      record.sessionId === null
        ? []
        : [sessionName === null ? record.sessionId : `${sessionName} (${record.sessionId})`],
    ],
    ['Begun by', record.by === undefined ? [] : [record.by === 'onward' ? 'Onward’s followup' : 'a person']],
    ['Client', [`${record.client}, ${record.entry}${record.model === null ? '' : `, asked for ${record.model}`}`]],
    [
      'Went to',
      route
        ? [
            [
              `${route.provider}/${route.model}`,
              ...(route.keyAlias === null ? [] : [`key ${route.keyAlias}`]),
              ...(route.category === null ? [] : [`route ${route.category}`]),
            ].join(', '),
          ]
        : [],
    ],
    ['Why', route?.why.map(routeReason) ?? []],
    [
      'Passed over',
      route?.skipped.map(({ candidate, why }) => `${targetText(candidate)}: ${passedOver(why, began)}`) ?? [],
    ],
    [
      'Tried',
      tried.map((t) => {
        const of = `${t.provider}/${t.model}${t.keyAlias === null ? '' : ` (key ${t.keyAlias})`}`
        const why = sentences.callFailure(String(t.status ?? t.code))
        return `${of}: ${why}, after ${figures.took(t.durationMs)}`
      }),
    ],
    [
      'Tools',
      servertools.map(({ tool, round, ms, bytes, failure }) => {
        const took = figures.took(ms)
        return (
          `${tool}, round ${round}: ` +
          `${failure === null ? `${took}, ${figures.bytes(bytes)}` : `failed after ${took}: ${failure}`}`
        )
      }),
    ],
    [
      'End',
      [
        `${sentences.finish(record.finish)}, status ${record.status}` +
          `${error ? `: ${tried.length > 0 ? withoutTried(error.message) : error.message}` : ''}`,
      ],
    ],
    [
      'Tokens',
      usage
        ? [
            [
              `${figures.tokens(usage.input)} in`,
              `${figures.tokens(usage.cachedInput)} of them cached`,
              `${figures.tokens(usage.output)} out`,
              ...(usage.reasoning === 0 ? [] : [`${figures.tokens(usage.reasoning)} of them reasoning`]),
            ].join(', '),
          ]
        : [],
    ],
    ['Cost', [sentences.paid(record) ?? []].flat()],
    ['Cache', record.cold ? [sentences.cold(record.cold)] : []],
    [
      'Time',
      [
        `${record.ttfbMs === null ? 'no first byte' : `first byte after ${figures.took(record.ttfbMs)}`}` +
          `, ${figures.took(record.durationMs)} in all`,
      ],
    ],
    ['Lent to', record.lentTo === undefined ? [] : [`${record.lentTo}, which counts its cost`]],
    ['Bytes', [`${figures.bytes(record.bytesIn)} in, ${figures.bytes(record.bytesOut)} out`]],
    ['Left out', dropped.length === 0 ? [] : [dropped.join(', ')]],
    ['Bodies', record.captured ? [record.capturedIn ?? 'kept'] : []],
  ]
  return lines.flatMap(([label, values]) => values.map((value, i): [string, string] => [i === 0 ? label : '', value]))
}
