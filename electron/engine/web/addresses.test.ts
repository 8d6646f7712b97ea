import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { notPublic } from './addresses.ts'

/** Written from the registries of IANA and the RFCs, not from the library: it must agree with us. */
const refused = [
  '0.0.0.0', '0.1.2.3', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.100.100.200', '100.127.255.255', '127.0.0.1', '127.255.255.254',
  '169.254.0.1', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1',
  '192.168.0.1', '192.168.255.255', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1',
  '255.255.255.255', '168.63.129.16',
  '::', '::1', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8',
  '64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff::1',
  '100::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '3fff::1',
  '2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:101::', '2002:a9fe:a9fe::', '2001:4860:0:0:0:5efe:127.0.0.1', '2001:4860::200:5efe:10.0.0.1',
  'fc00::1', 'fd00::1', 'fd00:ec2::254', 'fdff:ffff::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'feff::1', 'ff02::1', 'ff0e::1',
  '4000::1', '5f00::1', '8000::1', 'e000::1', '2606:4700::1111%1',
  '', 'localhost', '127.1', '0x7f.1', '2130706433', '[::1]', '1.1.1.1 ', '1.1.1.1/32',
]
const open = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '169.253.1.1', '192.0.1.1', '192.167.1.1', '198.17.1.1', '198.20.0.1', '223.255.255.254', '168.63.129.17',
  '2606:4700:4700::1111', '2a00:1450:4001::200e', '2400:cb00::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1', '2a00::5efe:8.8.8.8']

describe('which addresses are public', () => {
  it.each(refused)('refuses %j', (address) => expect(notPublic(address)).not.toBeNull())
  it.each(open)('lets %s through', (address) => expect(notPublic(address)).toBeNull())

  it('judges every IPv4 address alike in each form IPv6 has for it', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const plain = notPublic(`${a}.${b}.${c}.${d}`)
      const hex = ((a << 8) | b).toString(16) + ':' + ((c << 8) | d).toString(16)
      for (const form of [`::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) expect(notPublic(form)).toBe(plain)
    }), { numRuns: 500 })
  })
})
