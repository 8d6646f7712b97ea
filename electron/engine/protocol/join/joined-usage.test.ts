import { describe, expect, it } from 'vitest'
import type { Usage } from '../../../../shared/cost/usage.ts'
import { codecOf } from '../index.ts'
import { goldens, type Golden } from '../testing/golden/load.ts'
import { watch } from '../testing/summaries.ts'
import { joinedRounds } from './testing/rounds.ts'
import { observing } from '../testing/observing.ts'

const usageOf = ({ protocol, form }: Golden, bytes: string): Usage | null => {
  if (form === 'stream') return watch(codecOf(protocol), bytes).usage
  const observer = observing(codecOf(protocol), 'application/json', 200)
  observer.push(Buffer.from(bytes))
  return observer.finish(false).usage
}

/** Input counts are those of the last round: clients read them as the size of their context. */
const twice = (usage: Usage | null): Usage | null =>
  usage && { ...usage, output: usage.output * 2, reasoning: usage.reasoning * 2 }

const whole = goldens().filter(({ facts }) => facts.finish !== 'error' && facts.finish !== 'broken-off')
const isList = ({ form, bytes }: Golden): boolean => form === 'body' && bytes.toString().trimStart().startsWith('[')

describe.each(whole.filter((golden) => !isList(golden)))('two rounds of $name', (golden) => {
  it('count the output of both, in the words of their vendor', () => {
    const text = golden.bytes.toString()
    // Without its last line end the round would run into the next one.
    const round = golden.form === 'stream' ? `${text}\n\n` : text
    const joined = joinedRounds(golden.protocol, [round, round], { stream: golden.form === 'stream' }).whole
    expect(usageOf(golden, joined)).toEqual(twice(usageOf(golden, text)))
  })
})
