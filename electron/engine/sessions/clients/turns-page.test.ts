import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { clientKinds } from '../../../../shared/words.ts'
import { profileOf } from './index.ts'
import type { ClientProfile, KindCondition, Recognise } from './profile.ts'

const page = resolve(import.meta.dirname, '../../../../docs/turns.md')
const section = /(<!-- rules: [^\n]* -->\n)[\s\S]*?(<!-- end -->)/

const code = (text: string): string => `\`${text.trim().replaceAll('\n', '⏎').replaceAll('|', '\\|')}\``
const headerText = ({ header, is, not, starts, has }: Recognise): string =>
  [
    `header ${code(header)}`,
    is === undefined ? '' : ` is ${code(is)}`,
    not === undefined ? '' : ` is not ${code(not)}`,
    starts === undefined ? '' : ` starts with ${code(starts)}`,
    has === undefined ? '' : ` has ${code(has)}`,
  ].join('')

/** Members of a condition in the order of profile.ts, as words. */
function conditionText(when: KindCondition): string {
  const {
    header,
    turnMetadata,
    leads,
    opens,
    user,
    userHas,
    userIs,
    system,
    systemHas,
    anyText,
    everSaid,
    noTools,
    cached,
    body,
  } = when
  const words = [
    header && headerText(header),
    turnMetadata &&
      `turn metadata ${code(turnMetadata.field)} is ` +
        ('is' in turnMetadata ? code(turnMetadata.is) : `not ${code(turnMetadata.not)}`),
    opens !== undefined && `first text starts with ${code(opens)}`,
    user !== undefined && `last text starts with ${code(user)}`,
    userHas !== undefined && `and has ${code(userHas)}`,
    userIs !== undefined && `last text is ${code(userIs)}`,
    leads !== undefined && `first system text starts with ${code(leads)}`,
    system !== undefined && `system text starts with ${code(system)}`,
    systemHas !== undefined && `system text has ${code(systemHas)}`,
    anyText !== undefined && `a text of the last message starts with ${code(anyText)}`,
    everSaid !== undefined && `a text of its history starts with ${code(everSaid)}`,
    noTools && 'no tools',
    cached === 'to-the-end' && 'cache marks up to the newest message',
    cached === 'before-the-end' && 'cache marks, but none at the newest message',
    body && `${code(body.path.join('.'))} is ${code(String(body.is))}`,
  ]
  return words.filter((one) => typeof one === 'string').join(', ')
}

function tableOf({ client, main, kinds }: ClientProfile): string {
  const rows = [
    ...(main?.says ? [['turn', `${conditionText(main.says)}: no other row is looked at`]] : []),
    ...kinds.map(({ kind, when, ownThread }) => [
      kind,
      conditionText(when) + (ownThread ? '; its session is none of a person’s' : ''),
    ]),
    ...(main?.shows ? [['turn', `${conditionText(main.shows)}, whatever tools it has`]] : []),
    ...(main?.toolsMayGo ? [['turn', 'answers in its history, whatever tools it has']] : []),
  ]
  return [
    `### ${client}`,
    '',
    '| kind | what shows it |',
    '|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')
}

// Write the tables anew with `npx vitest run electron/engine/sessions/clients/turns-page -u`.
it('the rules stand in docs/turns.md as they are', async () => {
  const text = readFileSync(page, 'utf8')
  expect(text).toMatch(section)
  const tables = clientKinds.map((client) => tableOf(profileOf(client))).join('\n\n')
  await expect(
    text.replace(section, (_, begin: string, end: string) => `${begin}\n${tables}\n\n${end}`),
  ).toMatchFileSnapshot(page)
})
