import { expect, it } from 'vitest'
import { withStop } from './with-stop.ts'

it.each([
  ['Not done yet', 'Not done yet.'],
  ['Two tests fail.', 'Two tests fail.'],
  ['Why?', 'Why?'],
  ['还没完成', '还没完成。'],
  ['还没完成。', '还没完成。'],
  ['Cut in the middle…', 'Cut in the middle…'],
  ['复核：`npm test`', '复核：`npm test`。'],
])('“%s” ends as “%s”', (text, ended) => expect(withStop(text)).toBe(ended))
