/** The machines of a home over the system's ssh. Nothing of it is loaded before there is one. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../engine/base/clock.ts'
import type { Random } from '../engine/base/ids.ts'
import type { MachineEdits, MachineSource } from '../engine/machine-source.ts'
import type { OpenLine } from '../engine/providers/via/line.ts'
import type { Machine } from '../machines/machine.ts'
import type { Link, LinkOptions } from '../machines/open-link.ts'

export interface SystemMachinesOptions {
  home: string
  version: string
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  random: Random
}

type Listener = Parameters<MachineSource['watch']>[0]

export function systemMachines(options: SystemMachinesOptions): {
  machines: MachineSource
  machineEdits: MachineEdits
  lendLine: OpenLine
} {
  const { home, clock } = options
  const listeners = new Set<Listener>()
  let over = false
  let loading: ReturnType<typeof load> | null = null
  let now: MachineSource['now'] = () => []
  const parts = async () => {
    loading ??= load(options, (update) => {
      for (const listener of listeners) listener(update)
    })
    const loaded = await loading
    if (over) loaded.followed.dispose()
    else now = loaded.followed.now
    return loaded
  }
  const any = () =>
    access(join(home, 'machines.json')).then(
      () => !over,
      () => !over && loading !== null,
    )
  const change = async (edit: (file: Awaited<ReturnType<typeof load>>['file']) => Promise<unknown>) => {
    const { file, followed } = await parts()
    await edit(file)
    await followed.look()
  }
  const test: MachineEdits['test'] = async (name, start) => {
    const { file, followed, open, reachedOver } = await parts()
    const began = clock.now()
    const { link, attached, close } = await open(await file.machineNamed(home, name), { start })
    try {
      await attached.answers()
      // it need not wait for its next try any more
      followed.retry(name)
      return reachedOver(link, clock.now() - began)
    } finally {
      close()
    }
  }
  return {
    machines: {
      now: () => now(),
      async look() {
        if (!(await any())) return
        const { followed } = await parts()
        await followed.look()
        // a person did something to one of them: none need wait for its next try
        for (const { name } of followed.now()) followed.retry(name)
      },
      list: async () => ((await any()) ? (await parts()).followed.list() : []),
      watch(told) {
        listeners.add(told)
        return { dispose: () => void listeners.delete(told) }
      },
      call: async (what) => (await parts()).followed.call(what),
      async *follow(what, signal) {
        yield* (await parts()).followed.follow(what, signal)
      },
      dispose() {
        over = true
        void loading?.then(({ followed }) => followed.dispose())
      },
    },
    async lendLine(machine) {
      const { file, link } = await parts()
      const [{ lendLine }, found] = await Promise.all([
        import('../machines/lend-line.ts'),
        file.machineNamed(home, machine),
      ])
      return lendLine(await link(found))
    },
    machineEdits: {
      add: (given) => change(({ addMachine, machineOf }) => addMachine(home, machineOf(given))),
      remove: (name) => change(({ changeMachine }) => changeMachine(home, name, null)),
      setQuiet: (name, quiet) => change(({ changeMachine }) => changeMachine(home, name, { quiet })),
      test,
      async plan(name) {
        const { file, installing } = await parts()
        const { planInstall, deps } = await installing()
        return planInstall(await file.machineNamed(home, name), deps)
      },
      async *install(name, shown) {
        const { file, installing } = await parts()
        const { install, deps } = await installing()
        yield* install(await file.machineNamed(home, name), deps, shown)
        yield { kind: 'starting' }
        yield { kind: 'done', reached: await test(name, true) }
      },
    },
  }
}

async function load({ home, version, env, clock, random }: SystemMachinesOptions, tell: Listener) {
  const [{ followMachine }, { followMachines }, file, { machineOf }, { openLink }, { reachedOver }, ssh, attaching] =
    await Promise.all([
      import('../machines/follow-machine.ts'),
      import('../machines/follow-machines.ts'),
      import('../machines/machines-file.ts'),
      import('../machines/machine.ts'),
      import('../machines/open-link.ts'),
      import('../machines/reached.ts'),
      import('../machines/system-ssh.ts'),
      import('./attached-engine.ts'),
    ])
  const bySsh = ssh.systemSsh(home, env, process.platform)
  const lineTo = (machine: Machine, asked: LinkOptions = {}) => openLink(machine, bySsh, asked)
  const open = async (machine: Machine, asked?: LinkOptions) => {
    const link: Link = await lineTo(machine, asked)
    const { engine, channel } = link
    const attached = attaching.attachToEngine({ host: engine.host, port: engine.port, socket: channel }, engine.token)
    const close = () => {
      void attached.dispose()
      link.close()
    }
    return { link, attached, close }
  }
  const followed = followMachines({
    clock,
    read: () => file.readMachines(home),
    follow: (machine, told) =>
      followMachine(machine, {
        clock,
        random,
        tell: told,
        async open() {
          const { link, attached, close } = await open(machine)
          const { follow, call, watch } = attached
          return { version: link.engine.version, follow, call, watch, lost: link.lost, close }
        },
      }),
  })
  followed.watch(tell)
  const installing = async () => {
    const [{ install, planInstall }, { ownRoot }] = await Promise.all([
      import('../machines/install.ts'),
      import('../machines/own-files.ts'),
    ])
    return { install, planInstall, deps: { ...bySsh, version, root: ownRoot() } }
  }
  return { file: { ...file, machineOf }, followed, link: lineTo, open, reachedOver, installing }
}
