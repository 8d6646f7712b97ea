import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OnwardError } from '../../base/errors.ts'
import { splitCheckCommand } from './split-command.ts'
import { runs } from '../../../../shared/testing/runs.ts'

describe('the command of a check', () => {
  it.each([
    ['npm test', ['npm', 'test']],
    ['  pytest   -q  ', ['pytest', '-q']],
    ['node --test "a b.mjs"', ['node', '--test', 'a b.mjs']],
    ["grep -c '$x | y' a", ['grep', '-c', '$x | y', 'a']],
    ['vitest run \\*.ts', ['vitest', 'run', '*.ts']],
    ['./check.sh --level=2 a#b', ['./check.sh', '--level=2', 'a#b']],
    ['cargo test -- --nocapture', ['cargo', 'test', '--', '--nocapture']],
    ['"/opt/my tools/run" {x}', ['/opt/my tools/run', '{x}']],
  ])('%s', (command, argv) => expect(splitCheckCommand(command)).toEqual(argv))

  it.each([
    ['npm test | tail', /pipe/],
    ['npm test || true', /pipe/],
    ['npm test && npm run lint', /“&”/],
    ['npm test;rm x', /“;”/],
    ['npm test > out', /redirects/],
    ['npm test 2>&1', /“&”/],
    ['cat <in', /redirects/],
    ['echo `id`', /another command/],
    ['echo $(id)', /another command/],
    ['echo "$(id)"', /another command/],
    ['echo "a $HOME b"', /variable/],
    ['echo $HOME', /variable/],
    ['CI=1 npm test', /sets a variable/],
    ['(npm test)', /parentheses/],
    ['vitest run *.test.ts', /pattern/],
    ['vitest run src/[ab].ts', /pattern/],
    ['cat {a,b}', /braces/],
    ['~/check.sh', /“~”/],
    ['npm test # later', /“#”/],
    ['npm test\nrm x', /more than one line/],
    ['npm "test', /not closed/],
    ['', /No program/],
    ['""', /No program/],
    ['echo \u001b[2K', /can’t be seen/],
    ['echo \u202Etset', /can’t be seen/],
  ])('%j is refused', (command, why) => {
    try {
      expect(splitCheckCommand(command)).toBe('refused')
    } catch (error) {
      if (!OnwardError.isInstance(error)) throw error
      expect(error.code).toBe('bad-command')
      expect(error.message).toMatch(why)
    }
  })

  const word = fc.string({ unit: fc.constantFrom(...'ab $`"\\|&;<>()*?[]{},~#='), minLength: 1 })
  const quoted = (text: string) => `'${text}'`

  it('may say anything in single quotes', () => {
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(splitCheckCommand(['x', ...words.map(quoted)].join(' '))).toEqual(['x', ...words])
      }),
      runs(100),
    )
  })

  it('is refused with any of a shell’s characters outside of quotes, wherever they stand', () => {
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom(...'|&;<>()*?$`'), fc.array(word), (before, char, after) => {
        expect(() =>
          splitCheckCommand(['x', ...before.map(quoted), `y${char}z`, ...after.map(quoted)].join(' ')),
        ).toThrow(OnwardError)
      }),
      runs(100),
    )
  })
})
