/** The machines of a home over the system's ssh. Nothing of it is loaded before there is one and somebody asks. */
import type { Clock } from '../engine/base/clock.ts'
import type { Random } from '../engine/base/ids.ts'
import type { Machines } from '../machines/follow-machines.ts'

export interface SystemMachinesOptions {
  home: string
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  random: Random
}

export function systemMachines(options: SystemMachinesOptions): Machines {
  let over = false
  let made: Promise<Machines> | null = null
  return {
    async list() {
      const { readMachines } = await import('../machines/machines-file.ts')
      if (over || (made === null && (await readMachines(options.home)).length === 0)) return []
      made ??= make(options)
      return (await made).list()
    },
    dispose() {
      over = true
      void made?.then((machines) => machines.dispose())
    },
  }
}

async function make({ home, env, clock, random }: SystemMachinesOptions): Promise<Machines> {
  const [{ followMachine }, { followMachines }, { readMachines }, { openLink }, { systemSsh }, { attachToEngine }] =
    await Promise.all([
      import('../machines/follow-machine.ts'),
      import('../machines/follow-machines.ts'),
      import('../machines/machines-file.ts'),
      import('../machines/open-link.ts'),
      import('../machines/system-ssh.ts'),
      import('./attached-engine.ts'),
    ])
  const ssh = systemSsh(home, env, process.platform)
  return followMachines({
    clock,
    read: () => readMachines(home),
    follow: (machine) =>
      followMachine(machine, {
        clock,
        random,
        async open() {
          const { engine, channel, lost, close } = await openLink(machine, ssh)
          const attached = attachToEngine({ host: engine.host, port: engine.port, socket: channel }, engine.token)
          return {
            version: engine.version,
            follow: attached.follow,
            lost,
            close() {
              void attached.dispose()
              close()
            },
          }
        },
      }),
  })
}
