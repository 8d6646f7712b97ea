import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argvText } from './argv-text.ts'
import { runs } from '../../../shared/testing/runs.ts'

describe('a command as a person approves it', () => {
  it.each<[string[], string]>([
    [['npm', 'run', 'test:unit', '--', '--grep=a'], 'npm run test:unit -- --grep=a'],
    [['sh', '-c', 'rm -rf / && echo "ok"'], 'sh -c "rm -rf / && echo \\"ok\\""'],
    [['a', ''], 'a ""'],
    [
      ['a', 'b\u202egnp.x', '\u200b', '\u00a0', '\u001b[2K\r'],
      'a "b\\u{202e}gnp.x" "\\u{200b}" "\\u{a0}" "\\u{1b}[2K\\u{d}"',
    ],
    [['./测试.sh'], '"./测试.sh"'],
  ])('%j', (argv, text) => expect(argvText(argv)).toBe(text))

  it('hides nothing, and no two read alike', () => {
    const argv = fc.array(
      fc.string({
        unit: fc.constantFrom('a', '"', '\\', ' ', '\n', '\u202e', '\u200b', 'u', '{', '}', '2', '0', 'e', 'b'),
      }),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(argv, argv, (one, other) => {
        expect(argvText(one)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        expect(argvText(one) === argvText(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      runs(100),
    )
  })
})
