import type { Command } from 'commander'
import type { EngineStatus, ServertoolView } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { rows } from '../../output/columns.ts'
import type { Words } from '../../output/print.ts'

type Servertools = NonNullable<EngineStatus['servertools']>

const choices = [
  { name: 'on', on: true, summary: 'switch one on, or all' },
  { name: 'off', on: false, summary: 'switch one off, or all' },
  { name: 'default', on: null, summary: 'one, or all, as they are by themselves' },
] as const

export function addTools(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'tools',
    summary: 'Onward’s own tools for models; switch them',
    description:
      'Tools that run in Onward: a model calls them, the agent never sees it. What is switched ' +
      'counts for sessions that begin afterwards; a running one keeps the tools it began with.',
    examples: [
      ['onward tools', 'the list, and what each lacks'],
      ['onward tools on web_fetch', 'it reads web pages without the agent’s own permission prompt'],
      ['onward tools default web_fetch', 'as it is by itself'],
      ['onward tools off', 'none at all'],
    ],
    async ask(calls) {
      const { servertools } = await calls.status.query()
      if (servertools) return servertools
      throw new CliError('failed', 'This engine has no tools of its own: it is an older one. Start it again.')
    },
    say: toolsText,
  })
  for (const { name, on, summary } of choices)
    engineCommand(command, cli, {
      usage: `${name} [tool]`,
      takes: ['its name, as `onward tools` lists it; none: the switch for all of them'],
      summary,
      description: `${sentence(summary)}. It is written to the config and counts for sessions that begin afterwards.`,
      examples: [
        [`onward tools ${name} web_fetch`, 'one'],
        [`onward tools ${name}`, 'the switch for all'],
      ],
      ask: (calls, [tool]: [string?]) => calls.setServertool.mutate({ tool: tool ?? null, on }),
      say: (servertools, words) =>
        `${toolsText(servertools, words)}${words.style.quiet('Counts for sessions that begin from now on.')}\n`,
    })
}

function toolsText(servertools: Servertools, { style, columns }: Words): string {
  const head = servertools.on
    ? ''
    : `${style.shape('paused', '⏸')} All of them are off ${whose[servertools.by]}.` +
      `${servertools.by === 'config' ? ` Switch them on: ${style.strong('onward tools on')}` : ''}\n`
  return (
    head +
    rows(
      servertools.tools,
      [
        {
          text: (tool) => glyphOf(tool, servertools.on)[1],
          paint: (text, tool) => style.shape(glyphOf(tool, servertools.on)[0], text),
          tight: true,
        },
        { text: (tool) => tool.name, paint: style.strong, most: 40 },
        { text: (tool) => (tool.on ? 'on' : 'off') },
        { text: (tool) => whose[tool.by], paint: style.quiet },
        { text: (tool) => oneLine(tool.problem ?? tool.about), gives: 24 },
      ],
      columns,
    )
  )
}

const whose: Readonly<Record<ServertoolView['by'], string>> = {
  default: 'by default',
  config: 'by the config',
  env: 'by ROUTECODEX_SERVER_TOOLS',
  policy: 'by your organisation',
}

/** A tool that is on only by default may lack something without a sign. */
function glyphOf({ on, by, problem }: ServertoolView, all: boolean): readonly ['needs' | 'done' | 'idle', string] {
  if (!on || !all || (problem !== null && by === 'default')) return ['idle', '○']
  return problem === null ? ['done', '✓'] : ['needs', '◆']
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
