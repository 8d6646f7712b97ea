import { flatten, nameOf, wordsAt, type CompletionNode } from './tree.ts'

/** Works with bash 3.2 (macOS) and without the bash-completion package. */
export function bashCompletion(root: CompletionNode): string {
  const nodes = flatten(root)
  const steps = nodes.flatMap((node) =>
    node.children.map((child) => `      "${node.path.join(' ')}|${nameOf(child)}") at="${child.path.join(' ')}" ;;`),
  )
  const values = [
    ...new Set(
      nodes.flatMap((node) => node.options.filter((option) => option.takesValue).flatMap((option) => option.flags)),
    ),
  ]
  const choices = nodes.flatMap((node) =>
    node.options
      .filter((option) => option.choices.length > 0)
      .map(
        (option) =>
          `    "${node.path.join(' ')}|${option.flags.at(-1)}") COMPREPLY=($(compgen ` +
          `-W "${option.choices.join(' ')}" -- "$cur")); return ;;`,
      ),
  )
  const words = nodes.map((node) => `    "${node.path.join(' ')}") words="${wordsAt(node).join(' ')}" ;;`)
  const through = nodes
    .filter((node) => node.passesThrough)
    .map((node) => `"${node.path.join(' ')}"`)
    .join('|')
  return `# bash completion for onward. Load it with: source <(onward completion bash)
_onward() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" i word words="" skip=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [ -n "$skip" ]; then skip=""; continue; fi
    case "$word" in
      ${values.join('|')}) skip=1; continue ;;
      --) COMPREPLY=(); return ;;
      -*) continue ;;
    esac
    case "$at|$word" in
${steps.join('\n')}
      *) case "$at" in ${through}) COMPREPLY=(); return ;; esac ;;
    esac
  done
  case "$at|$prev" in
${choices.join('\n')}
  esac
  case "$prev" in ${values.join('|')}) COMPREPLY=(); return ;; esac
  case "$at" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _onward onward
`
}
