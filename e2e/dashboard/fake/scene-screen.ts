/** The terminal of billing-service, with escape sequences, as the mock of the terminal shows it. */
const dim = (text: string) => `\x1b[90m${text}\x1b[0m`
const green = (text: string) => `\x1b[32m${text}\x1b[0m`
const red = (text: string) => `\x1b[31m${text}\x1b[0m`
const bold = (text: string) => `\x1b[1m${text}\x1b[0m`

export const sceneScreen = [
  dim('╭──────────────────────────────────────────────────╮'),
  `${dim('│')} ${bold('Claude Code')} ${dim('2.1.330')}                              ${dim('│')}`,
  `${dim('│')} ${dim('~/code/billing · claude-sonnet')}                   ${dim('│')}`,
  dim('╰──────────────────────────────────────────────────╯'),
  '',
  `${dim('>')} Two tests in rounding.test.ts still fail: refunds round half cents up.`,
  '  Fix refundLine(), run npm test again, then write the PR description.',
  '',
  `${dim('●')} I’ll look at the failing refund tests first.`,
  '',
  `${green('●')} ${bold('Bash')}(npm test -- rounding)`,
  `  ${dim('⎿')}  ${red('FAIL')}  src/invoice/rounding.test.ts`,
  `     ${red('✗')} refundLine › rounds half cents to even ${dim('(4 ms)')}`,
  `     ${red('✗')} refundLine › keeps the sign of a refund ${dim('(1 ms)')}`,
  `     ${dim('Tests: 2 failed, 212 passed, 214 total')}`,
  '',
  `${green('●')} ${bold('Update')}(src/invoice/rounding.ts)`,
  `  ${dim('⎿')}  Updated with 3 additions and 2 removals, see https://example.com/diff/41`,
  '',
  `${green('●')} ${bold('Bash')}(npm test)`,
  `  ${dim('⎿')}  ${green('PASS')}  214 tests in 31 files ${dim('(31.8 s)')}`,
  '',
  `${dim('●')} All 214 tests pass. The PR description is still to be written.`,
  '',
  `${dim('>')} also mention the tax table in the PR, it changed in`,
].join('\r\n')
