import { describe, expect, it } from 'vitest'
import { docsPage, newsPage, startPage } from '../testing/pages.ts'
import { readPageHere } from './read-page-here.ts'

const read = (html: string, format: 'text' | 'markdown' = 'markdown', maxChars = 20_000) =>
  readPageHere({ html, url: 'https://widget.example/docs/v2/options?x=1', format, maxChars })

describe('a page of documentation', () => {
  it('is read as its author marked it, in Markdown', () => {
    const { title, text, left } = read(docsPage)
    expect([title, left]).toEqual(['Options | Widget docs', 0])
    expect(text).toBe(`# Options

Every widget takes \`options\`. See [the API](https://widget.example/docs/v2/api#make) and [the RFC](https://example.org/rfc). Names with under_scores and *stars* stay as they are.

\`\`\`ts
const widget = make({
  size: 3,   // in rem
})
if (a < b) run()
\`\`\`

## All of them

| Name | Default |
| --- | --- |
| \`size\` | 1 \\| 2 |
| \`colour\` | none at all |

1.  First
    -   inner
2.  Second

![A chart of sizes](https://widget.example/docs/img/chart.png)`)
  })

  it('is plain as text', () => {
    const { text } = read(docsPage, 'text')
    expect(text).toContain('Every widget takes options. See the API and the RFC.')
    expect(text).toContain('\nconst widget = make({\n  size: 3,   // in rem\n})\nif (a < b) run()\n')
    expect(text).toContain('| size | 1 \\| 2 |')
    expect(text).not.toMatch(/[`#]|https:/)
  })
})

describe('pages without marks', () => {
  it('are read for their article', () => {
    const { text } = read(newsPage)
    expect(text).toContain('An engineer said on Tuesday')
    expect(text).toContain('“It was a long summer,”')
    for (const around of ['Politics', 'Buy now', 'Imprint']) expect(text).not.toContain(around)
  })
  it('are read whole where they are lists', () => {
    const { text } = read(startPage)
    expect(text).toContain('[Entry number 0 of the list](https://widget.example/item/0)')
    expect(text).toContain('[Entry number 29 of the list](https://widget.example/item/29)')
  })
  it.each(['', '<', '<!doctype html>', '<frameset><frame src=x></frameset>', '\u0000<p>x', '</html>', '<table><tr>'])(
    'are nothing or little, never an end: %j',
    (html) => {
      expect(read(html).text.length).toBeLessThan(5)
    },
  )
})

describe('what no person would see', () => {
  it.each([
    '<script>ORDER</script>',
    '<p hidden>ORDER</p>',
    '<div style="visibility: hidden">ORDER</div>',
    '<p style="color:red;DISPLAY : none">ORDER</p>',
    '<!-- ORDER -->',
    '<template>ORDER</template>',
    '<noscript>ORDER</noscript>',
    '<a href="javascript:ORDER">x</a>',
    '<img alt="x" src="data:ORDER">',
    '<iframe srcdoc="ORDER">ORDER</iframe>',
    '<svg><text>ORDER</text></svg>',
    '<textarea>ORDER</textarea>',
  ])('is not read: %s', (hidden) => {
    const { text } = read(`<body><p>Visible.</p>${hidden}<p>End.</p>`)
    expect(text).toMatch(/^Visible\.[\s\S]*End\.$/)
    expect(text).not.toContain('ORDER')
  })
})

describe('tables that only place things', () => {
  it('are written as what is in them', () => {
    const { text } = read(
      '<table><tr><td><h2>Left</h2></td><td><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>' +
        '</td></tr></table><table><tr><td>alone</td></tr></table>',
    )
    expect(text).toBe('## Left\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nalone')
  })
})

describe('pages without end', () => {
  it('are written as far as they are shown, and the rest is counted', () => {
    const { text, left } = read(
      `<main>${'<p>Some ten words stand in each of these many paragraphs here.</p>'.repeat(3000)}</main>`,
      'markdown',
      1000,
    )
    expect(text.length).toBeGreaterThan(1000)
    expect(text.length).toBeLessThan(3000)
    expect(text.length + left).toBeGreaterThan(150_000)
  })
  it.each([
    ['divs', '<div>'.repeat(2000)],
    ['lists', '<ul><li>'.repeat(1000)],
    ['bold', '<b><i>'.repeat(1000)],
    ['tables', '<table><tr><td>'.repeat(300)],
    ['quotes', '<blockquote>'.repeat(1000)],
  ])('in depth keep what stands before: %s', (_name, deep) => {
    expect(read(`<p>Before.</p>${deep}inside`).text).toContain('Before.')
  })
})
