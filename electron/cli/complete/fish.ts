import { flatten, nameOf, type CompletionNode } from './tree.ts'

const quoted = (text: string): string =>
  `'${(text.split('\n', 1)[0] ?? '').replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** True at exactly this node: its words are there, and none of its sub commands. */
function condition(node: CompletionNode): string {
  const seen = node.path.map((word) => `__fish_seen_subcommand_from ${word}`)
  const under = node.children.map(nameOf)
  if (node.path.length === 0) return '__fish_use_subcommand'
  return quoted(
    [...seen, ...(under.length > 0 ? [`not __fish_seen_subcommand_from ${under.join(' ')}`] : [])].join('; and '),
  )
}

export function fishCompletion(root: CompletionNode): string {
  const lines = flatten(root).flatMap((node) => {
    const at = condition(node)
    return [
      ...node.children.map((child) => `complete -c onward -f -n ${at} -a ${nameOf(child)} -d ${quoted(child.summary)}`),
      ...node.choices.map((choice) => `complete -c onward -f -n ${at} -a ${choice}`),
      ...node.options.map((option) =>
        [
          `complete -c onward -n ${at}`,
          ...option.flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)),
          ...(option.takesValue ? ['-r'] : []),
          ...(option.choices.length > 0 ? [`-f -a ${quoted(option.choices.join(' '))}`] : []),
          `-d ${quoted(option.description)}`,
        ].join(' '),
      ),
    ]
  })
  return `# fish completion for onward. Load it with: onward completion fish | source\n${lines.join('\n')}\n`
}
