/**
 * Folders that tools fill: no one's own work, and often with more files than all the rest. A path that names one is
 * looked at all the same.
 */
const names: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'bower_components',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.cache',
  '.parcel-cache',
  '.turbo',
  '.gradle',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
])

export const isLeftOut = (folderName: string): boolean => names.has(folderName.toLowerCase())
