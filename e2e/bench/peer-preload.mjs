// Loaded before a peer's own program: whatever address and port it asks for, it listens on loopback and on a port that
// is free, and says which in the line that `start` waits for. What else it prints is left out: a line of its own that
// looks like JSON would be taken for that one.
import net from 'node:net'

const say = process.stdout.write.bind(process.stdout)
process.stdout.write = (_text, encoding, done) => {
  const then = typeof encoding === 'function' ? encoding : done
  if (then) process.nextTick(then)
  return true
}

const { listen } = net.Server.prototype
net.Server.prototype.listen = function listenOnLoopback(...args) {
  this.once('listening', () => say(`${JSON.stringify({ port: this.address().port })}\n`))
  const then = args.filter((one) => typeof one === 'function')
  return listen.call(this, { host: '127.0.0.1', port: 0, backlog: 2048 }, ...then)
}
