import { flatten, nameOf, type CompletionNode, type CompletionOption } from './tree.ts'

/** Quoted for a single-quoted word inside `_arguments` and `_describe`, where colons and brackets mean something. */
const quoted = (text: string): string =>
  text
    .replaceAll("'", "'\\''")
    .replace(/[[\]:]/g, '\\$&')
    .split('\n', 1)[0] ?? ''
const functionOf = (node: CompletionNode): string => ['_onward', ...node.path].join('_').replaceAll('-', '_')

const optionSpec = (option: CompletionOption): string[] =>
  option.flags.map((flag) => {
    const value = option.takesValue
      ? `:value:${option.choices.length > 0 ? `(${option.choices.join(' ')})` : '_files'}`
      : ''
    return `'${flag}[${quoted(option.description)}]${value}'`
  })

export function zshCompletion(root: CompletionNode): string {
  const functions = flatten(root).map((node) => {
    const options = node.options.flatMap(optionSpec)
    if (node.children.length === 0) {
      const first = node.choices.length > 0 ? [`'1:value:(${node.choices.join(' ')})'`] : []
      const rest = node.passesThrough ? `'*::arguments:_normal'` : `'*:file:_files'`
      return `${functionOf(node)}() {\n  _arguments ${[...options, ...first, rest].join(' \\\n    ')}\n}`
    }
    const described = node.children.map((child) => `    '${quoted(nameOf(child))}:${quoted(child.summary)}'`).join('\n')
    const cases = node.children.map((child) => `    ${nameOf(child)}) ${functionOf(child)} ;;`).join('\n')
    return `${functionOf(node)}() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
${described}
  )
  _arguments -C ${[...options, `'1: :->command'`, `'*:: :->rest'`].join(' \\\n    ')}
  case "$state" in
  command) _describe -t commands 'command' commands ;;
  rest) case "$line[1]" in
${cases}
  esac ;;
  esac
}`
  })
  return `#compdef onward
# zsh completion for onward. Put it where $fpath looks, as _onward, or: source <(onward completion zsh)
${functions.reverse().join('\n')}
compdef _onward onward
`
}
