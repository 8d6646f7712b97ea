/**
 * The part of node-pty that is used here, with `encoding: null` (bytes in and out). The package is installed under an
 * alias and declares its types under its own name only, and those say string where bytes pass.
 */
declare module 'node-pty' {
  export interface BytePty {
    readonly pid: number
    write(data: Buffer): void
    resize(cols: number, rows: number): void
    kill(signal?: string): void
    pause(): void
    resume(): void
    onData(listener: (data: Buffer) => void): { dispose(): void }
    onExit(listener: (ending: { exitCode: number; signal?: number }) => void): { dispose(): void }
  }
  export interface SpawnOptions {
    name: string
    cols: number
    rows: number
    cwd: string
    env: Record<string, string>
    encoding: null
  }
  export function spawn(file: string, args: string[], options: SpawnOptions): BytePty
}
