import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong, one line each. The script is run by the debugger, past the page's CSP. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(await source)
  const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return results.violations.flatMap((v) =>
    v.nodes.map(
      (node) =>
        `${v.id}: ${node.target.join(' ')}: ${node.failureSummary?.split('\n').slice(1).join(' ').trim() ?? v.help}`,
    ),
  )
}
