/**
 * Makes a value for the first who asks with an object, and gives all others the same one; it is forgotten with its object. For objects that
 * nobody changes. What is made is never undefined: that would be made again.
 */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const made = known.get(key);
    if (made !== undefined) return made;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}
