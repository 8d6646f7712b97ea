import { decode, elements, member, splice, type Edit } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-members.ts'
import { withoutElements } from '../../list-edits.ts'
import { meaningOf } from '../../finish-names.ts'
import { tokenScan } from '../../server-tools/token-scan.ts'
import type { HiddenNames } from '../../server-tools/types.ts'
import { asObject, parseObject } from '../../values.ts'
import { withoutMember } from '../../without-member.ts'
import { readCallEntry } from '../call-finder.ts'
import { finish as finishOf } from '../facts.ts'

const callsMember = Buffer.from('"tool_calls"')

/** A whole JSON answer without hidden calls. */
export function filterChatBody(body: Buffer, names: HiddenNames): Buffer {
  // Most answers call nothing, which one search shows; the names take one search each.
  if (!body.includes(callsMember) || !tokenScan(names)(body) || !parseObject(body)) return body
  const choices = member(body, rootOf(body), 'choices')
  const edits: Edit[] = []
  for (const at of choices ? elements(body, choices) : []) {
    const choice = body.subarray(at.start, at.end)
    const left = choiceWithout(choice, names)
    if (left !== choice) edits.push({ ...at, replacement: left })
  }
  return splice(body, edits)
}

function choiceWithout(choice: Buffer, names: HiddenNames): Buffer {
  const at = member(choice, rootOf(choice), 'message')
  const message = at && choice.subarray(at.start, at.end)
  const list = message && member(message, rootOf(message), 'tool_calls')
  if (!at || !message || !list) return choice
  const entries = elements(message, list)
  const isHidden = entries.map((entry) => names.has(readCallEntry(asObject(decode(message, entry)) ?? {}).name ?? ''))
  if (!isHidden.includes(true)) return choice
  if (isHidden.includes(false))
    return splice(choice, [
      {
        ...at,
        replacement: splice(
          message,
          withoutElements(entries, (i) => isHidden[i] === true),
        ),
      },
    ])
  const finish = member(choice, rootOf(choice), 'finish_reason')
  const reason = finishOf(parseObject(choice) ?? {})
  const isCalls = finish !== null && reason !== null && meaningOf(reason) === 'tool-calls'
  return splice(choice, [
    { ...at, replacement: withoutMember(message, 'tool_calls') },
    ...(isCalls ? [{ ...finish, replacement: '"stop"' }] : []),
  ])
}
