/** An object that throws on anything it does not have: a double must never answer `undefined` for an API it lacks. */
function strict(name, object) {
  return new Proxy(object, {
    get(target, key, receiver) {
      // `then`: a promise looks for it in whatever it is given; `toJSON`: so does JSON
      if (typeof key === 'symbol' || key in target || key === 'then' || key === 'toJSON')
        return Reflect.get(target, key, receiver)
      throw new Error(`electron-double: ${name}.${String(key)} is not built`)
    },
  })
}
module.exports = { strict }
