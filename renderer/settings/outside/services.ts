import type { OutsideView } from '../../../shared/notifications.ts'

/** Names of services, the same in every language, and what an address there looks like. */
export const services: Readonly<Record<OutsideView['kind'], { name: string; address: string }>> = {
  ntfy: { name: 'ntfy', address: 'https://ntfy.sh/my-topic' },
  slack: { name: 'Slack', address: 'https://hooks.slack.com/services/…' },
  discord: { name: 'Discord', address: 'https://discord.com/api/webhooks/…' },
  webhook: { name: 'Webhook', address: 'https://' },
  push: { name: 'Web push', address: '' },
}
