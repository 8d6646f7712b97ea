import { flatten, nameOf, type CompletionNode } from './tree.ts'

const ascii: Readonly<Record<string, string>> = { '‘': "'", '’': "'", '“': '"', '”': '"', '…': '...' }

/**
 * A literal in which PowerShell expands nothing. Typographic quotes end one as well, and Windows PowerShell 5.1 reads
 * what a program prints in the console's old code page: so they become plain ones.
 */
export const quoted = (text: string): string =>
  `'${(text.split('\n', 1)[0] ?? '').replace(/[‘’“”…]/g, (sign) => ascii[sign] ?? '').replace(/['‚‛]/g, '$&$&')}'`

const list = (words: readonly string[]): string => `@(${[...new Set(words)].map(quoted).join(', ')})`

/** Each word with its explanation, which PowerShell wants for all of them. */
function offersAt(node: CompletionNode): string {
  const offers: readonly (readonly [word: string, what: string])[] = [
    ...node.children.map((child) => [nameOf(child), child.summary] as const),
    ...node.choices.map((choice) => [choice, choice] as const),
    ...node.options.flatMap(({ flags, description }) =>
      flags.filter((flag) => flag.startsWith('--')).map((flag) => [flag, description] as const),
    ),
  ]
  return offers.map(([word, what]) => `        ${quoted(word)}, ${quoted(what || word)}`).join('\n')
}

/** Works with Windows PowerShell 5.1 and PowerShell 7. Without an offer of ours PowerShell offers files. */
export function powershellCompletion(root: CompletionNode): string {
  const nodes = flatten(root)
  const steps = nodes.flatMap((node) =>
    node.children.map(
      (child) =>
        `      ${quoted(`${node.path.join(' ')}|${nameOf(child)}`)} { $at = ${quoted(child.path.join(' '))}; break }`,
    ),
  )
  const choices = nodes.flatMap((node) =>
    node.options
      .filter((option) => option.choices.length > 0)
      .flatMap((option) =>
        option.flags.map((flag) => {
          const words = option.choices.flatMap((choice) => [quoted(choice), quoted(choice)]).join(', ')
          return `      ${quoted(`${node.path.join(' ')}|${flag}`)} { $offers = @(${words}); break }`
        }),
      ),
  )
  const offers = nodes.map(
    (node) => `      ${quoted(node.path.join(' '))} { $offers = @(\n${offersAt(node)}\n      ); break }`,
  )
  const values = nodes.flatMap((node) =>
    node.options.filter((option) => option.takesValue).flatMap((option) => option.flags),
  )
  const through = nodes.filter((node) => node.passesThrough).map((node) => node.path.join(' '))
  return `# PowerShell completion for onward. Load it with:
# onward completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName onward -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $values = ${list(values)}
  $through = ${list(through)}
  $at = ''
  $last = ''
  $skip = $false
  $offers = @()
  foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $word = $element.Extent.Text
    if ($skip) { $skip = $false; continue }
    if ($word -ceq '--') { return }
    if ($values -ccontains $word) { $last = $word; $skip = $true; continue }
    if ($word.StartsWith('-')) { continue }
    switch -CaseSensitive ($at + '|' + $word) {
${steps.join('\n')}
      default { if ($through -ccontains $at) { return } }
    }
  }
  if ($skip) {
    switch -CaseSensitive ($at + '|' + $last) {
${choices.join('\n')}
    }
  } else {
    switch -CaseSensitive ($at) {
${offers.join('\n')}
    }
  }
  for ($i = 0; $i -lt $offers.Count; $i += 2) {
    $offer = $offers[$i]
    if (-not $offer.StartsWith($wordToComplete, [StringComparison]::Ordinal)) { continue }
    $type = if ($offer.StartsWith('-')) { 'ParameterName' } else { 'ParameterValue' }
    [System.Management.Automation.CompletionResult]::new($offer, $offer, $type, $offers[$i + 1])
  }
}
`
}
