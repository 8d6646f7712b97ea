import type { NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { phoneAddresses } from './phone-addresses.ts'

const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}) =>
  ({ address, family: 'IPv4', internal: false, ...more }) as NetworkInterfaceInfo
const six = { family: 'IPv6' } as const

it('a phone reaches a machine by its networks, those that encrypt first, and by no container’s bridge', () => {
  expect(
    phoneAddresses({
      lo: [at('127.0.0.1', { internal: true })],
      eth0: [at('192.168.1.23'), at('fe80::1', six), at('2001:db8::23', six)],
      docker0: [at('172.17.0.1')],
      'br-1a2b': [at('172.18.0.1')],
      wlan0: [at('169.254.3.4')],
      wg0: [at('10.8.0.2')],
      utun4: [at('100.101.102.103'), at('fd7a:115c:a1e0::1', six)],
      ppp0: [at('100.64.0.9')],
      tailscale0: [at('100.99.1.2')],
    }),
  ).toEqual([
    { address: '100.101.102.103', name: 'utun4', kind: 'tailscale' },
    { address: 'fd7a:115c:a1e0::1', name: 'utun4', kind: 'tailscale' },
    { address: '100.99.1.2', name: 'tailscale0', kind: 'tailscale' },
    { address: '10.8.0.2', name: 'wg0', kind: 'wireguard' },
    { address: '192.168.1.23', name: 'eth0', kind: 'network' },
    { address: '2001:db8::23', name: 'eth0', kind: 'network' },
    { address: '100.64.0.9', name: 'ppp0', kind: 'network' },
  ])
})
