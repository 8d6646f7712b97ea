import type { CheckRun } from '../../../../shared/review.ts'
import { zh } from '../../../../shared/sentences/zh/spaced.ts'
import type { Language } from '../../../../shared/words.ts'
import { plainText } from '../../workspace/checks/plain-text.ts'
import { cutEnd, cutStart, withoutMarkers } from './shorten.ts'

/** Limits of the text that Onward types. */
const mostLines = 3
const mostChars = 790

/** A followup as it may be typed: three lines, cut at a word, nothing in it that a terminal or Onward would obey. */
export function tidyFollowup(text: string): string {
  const lines = plain(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
  const short = [
    ...lines.slice(0, mostLines - 1),
    ...(lines.length < mostLines ? [] : [lines.slice(mostLines - 1).join(' ')]),
  ]
  return atWord(withoutMarkers(short.join('\n')), mostChars)
}

/** The language of a goal is the language in which its agent is addressed. */
export const languageOf = (goal: string): Language => (/\p{Script=Han}/u.test(goal) ? 'zh-CN' : 'en')

/** The message for the agent when its goal seems reached and checks fail. */
export function checksFailedText(failed: readonly { run: CheckRun; output: string }[], language: Language): string {
  const [first, ...others] = failed
  if (!first) return ''
  const { run, output } = first
  const command = oneLine(run.argv.map(quoted).join(' '), 160)
  const say = oneLine(run.say, 140)
  const more =
    others.length === 0
      ? ''
      : oneLine(others.map((other) => other.run.name).join(language === 'zh-CN' ? '、' : ', '), 100)
  const tail = cutStart(
    plain(output)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(-6)
      .join(' | '),
    220,
  )
  const name = oneLine(run.name, 60)
  return tidyFollowup((language === 'zh-CN' ? inChinese : inEnglish)({ name, command, say, more, tail, run }))
}

interface Said {
  name: string
  command: string
  say: string
  more: string
  tail: string
  run: CheckRun
}

const inEnglish = ({ name, command, say, more, tail, run }: Said): string =>
  [
    `The check “${name}” (${command}) ${howEnglish(run)}${say === '' ? '' : `: ${say}`}.` +
      `${more === '' ? '' : ` These fail too: ${more}.`}`,
    tail === '' ? '' : `Its output ends: ${tail}`,
    `Find the cause and fix it, then run ${more === '' ? 'it' : 'all of them'} ` +
      'until it passes. Leave the checks themselves as they are.',
  ].join('\n')

const inChinese = ({ name, command, say, more, tail, run }: Said): string =>
  [
    zh`检查“${name}”（${command}）${howChinese(run)}${say === '' ? '' : zh`：${say}`}。${
      more === '' ? '' : zh`没通过的还有：${more}。`
    }`,
    tail === '' ? '' : zh`输出结尾：${tail}`,
    '找出原因并修好，再运行检查，直到全部通过。不要改动检查本身。',
  ].join('\n')

function howEnglish({ outcome, exitCode }: CheckRun): string {
  switch (outcome) {
    case 'timed-out':
      return 'took too long'
    case 'not-started':
      return 'did not start'
    case 'stopped':
      return 'was stopped'
    default:
      return exitCode === null ? 'fails' : `fails with exit code ${exitCode}`
  }
}

function howChinese({ outcome, exitCode }: CheckRun): string {
  switch (outcome) {
    case 'timed-out':
      return '超时'
    case 'not-started':
      return '没能启动'
    case 'stopped':
      return '被停下'
    default:
      return exitCode === null ? '没通过' : zh`没通过，退出码 ${exitCode}`
  }
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))

const oneLine = (text: string, most: number): string =>
  cutEnd(
    plain(text)
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[.。]+$/, ''),
    most,
  )

/** Line breaks stay; colours, other control characters and what draws over them go. */
const plain = (text: string): string => plainText(text.replace(/[\u0085\u2028\u2029]/g, '\n')).replace(/\t/g, ' ')

function atWord(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = cutEnd(text, most).slice(0, -1)
  const space = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
  return `${(space > most * 0.7 ? cut.slice(0, space) : cut).trimEnd()}…`
}
