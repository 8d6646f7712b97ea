/** The addresses of this machine at which a phone may reach it, and what network each belongs to. */
import type { networkInterfaces } from 'node:os'
import type { PhoneAddress } from '../../../../shared/devices.ts'

/** bridges of containers and virtual machines, where no phone is */
const inner = /^(docker|br-|veth|virbr|vmnet|vboxnet|podman|cni|lxc)/

/** They need a zone, which no link can name, or are what a machine without a network gives itself. */
const linkLocal = /^(169\.254\.|fe[89ab])/i

/** Networks that encrypt by themselves and reach everywhere come first. */
export function phoneAddresses(interfaces: ReturnType<typeof networkInterfaces>): PhoneAddress[] {
  const found = Object.entries(interfaces).flatMap(([name, all = []]) =>
    inner.test(name)
      ? []
      : all
          .filter(({ internal, address }) => !internal && !linkLocal.test(address))
          .map(({ address }): PhoneAddress => ({ address, name, kind: kindOf(name, address) })),
  )
  const order = ['tailscale', 'wireguard', 'network']
  return found.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

function kindOf(name: string, address: string): PhoneAddress['kind'] {
  const [first, second = 0] = address.split('.').map(Number)
  // macOS calls every tunnel utun: Tailscale's has addresses of 100.64.0.0/10 and of a prefix of its own
  const shared = (first === 100 && second >= 64 && second < 128) || address.startsWith('fd7a:115c:a1e0:')
  if (name.startsWith('tailscale') || (shared && /^(utun|tun)/.test(name))) return 'tailscale'
  return name.startsWith('wg') ? 'wireguard' : 'network'
}
