import { expect, it } from 'vitest'
import { bold, prose, roff } from './roff.ts'

it.each([
  ['--no-review', '\\-\\-no\\-review'],
  ['.onward is a file', '\\&.onward is a file'],
  ["'quoted' at the start", '\\(aqquoted\\(aq at the start'],
  ['C:\\new\\fBold', 'C:\\(rsnew\\(rsfBold'],
  ['~/.onward ^C "x"', '\\(ti/.onward \\(haC \\(dqx\\(dq'],
  ['the engine’s “log”…', 'the engine\\(cqs \\(lqlog\\(rq...'],
  ['每 ≥ 🙂', '\\[u6BCF] \\[u2265] \\[u1F642]'],
  ['two\n  .lines ', 'two .lines'],
])('writes %j so that roff changes nothing of it', (text, as) => expect(roff(text)).toBe(as))

it('makes words in backticks bold, with all signs', () => {
  expect(bold('-x')).toBe('\\fB\\-x\\fR')
  expect(prose('`.x`: a number, or `un-bounded`; ` alone')).toBe(
    '\\fB.x\\fR: a number, or \\fBun\\-bounded\\fR; \\(ga alone',
  )
})
