const mostTools = 6

/** Read, Edit ×2, Bash: runs of the same tool are counted. */
export function toolsText(tools: readonly string[]): string {
  const runs: { name: string; times: number }[] = []
  for (const name of tools) {
    const last = runs.at(-1)
    if (last?.name === name) last.times++
    else runs.push({ name, times: 1 })
  }
  const shown = runs
    .slice(0, mostTools)
    .map((run) => (run.times > 1 ? `${run.name} ×${run.times}` : run.name))
    .join(', ')
  return runs.length > mostTools ? `${shown} …` : shown
}
