/**
 * The person's own PATH in the registry, by PowerShell: `reg` prints letters beyond ASCII in the console's code page.
 */
import { z } from 'zod'
import type { InstalledSystem } from '../types.ts'

export interface UserPath {
  /** null: there is none; variables in it are not replaced */
  read(): Promise<string | null>
  /** null: takes it away */
  write(value: string | null): Promise<void>
}

const answer = z.object({ value: z.string().nullable() })

export function windowsUserPath(system: InstalledSystem): UserPath {
  const run = async (script: string): Promise<string> => {
    const encoded = Buffer.from(script, 'utf16le').toString('base64')
    const { code, out, err } = await system.run([
      'powershell.exe',
      '-NoProfile',
      '-NonInteractive',
      '-EncodedCommand',
      encoded,
    ])
    if (code !== 0)
      throw new Error(`PowerShell could not reach the PATH of this user: ${err.trim() || `it ended with ${code}`}`)
    return out
  }
  return {
    read: async () => answer.parse(JSON.parse(await run(reading))).value,
    write: async (value) => void (await run(writing(value))),
  }
}

const reading = `$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$key = [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment')
@{ value = $key.GetValue('Path', $null, 'DoNotExpandEnvironmentNames') } | ConvertTo-Json -Compress`

/** Setting any variable notifies the running programs, so that the next terminal has the new PATH. */
const writing = (value: string | null): string => `$ErrorActionPreference = 'Stop'
$key = [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey('Environment')
${
  value === null
    ? "$key.DeleteValue('Path', $false)"
    : `$value = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${Buffer.from(value).toString('base64')}'))
$key.SetValue('Path', $value, 'ExpandString')`
}
[Environment]::SetEnvironmentVariable('OnwardPathChanged', $null, 'User')`
