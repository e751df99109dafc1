import { childElements, element } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { rewriteChildren } from '../xml/rewrite.js';

const PERMISSIONS = new Set(['read', 'write', 'deny']);

/**
 * From 1.x to 2.0: the syntax of access control (specification 01 §2.3). Permissions that a user had directly move to a role of his own, since
 * only roles have permissions now.
 */
export function upgradeFrom1(document: XmlElement): XmlElement {
  return rewriteChildren(document, (current) => (current.name === 'acls' ? upgradeAcls(current) : current));
}

function upgradeAcls(acls: XmlElement): XmlElement {
  if (!childElements(acls).some(({ name, children }) => name === 'acl_user' || children.some(isPermission))) return acls;
  const children: XmlNode[] = [];
  for (const child of acls.children) {
    if (child.kind === 'comment') children.push(child);
    else if (child.name === 'acl_user') children.push(...upgradeUser(child));
    else children.push({ ...child, children: child.children.map(upgradePermission) });
  }
  return { ...acls, children };
}

function upgradeUser(user: XmlElement): XmlElement[] {
  const id = user.attributes['id'] ?? '';
  const roles: XmlNode[] = user.children
    .filter((child) => child.kind === 'comment' || child.name === 'role_ref')
    .map((child) => (child.kind === 'comment' ? child : { ...child, name: 'role' }));
  const permissions = user.children.filter(isPermission);
  const target = { ...user, name: 'acl_target' };
  if (permissions.length === 0) return [{ ...target, children: roles }];
  const own = `_1TO2_${id}-role`;
  return [
    { ...target, children: [...roles, element('role', { id: own })] },
    element('acl_role', { id: own }, permissions.map(upgradePermission)),
  ];
}

function isPermission(node: XmlNode): boolean {
  return node.kind === 'element' && PERMISSIONS.has(node.name);
}

function upgradePermission(node: XmlNode): XmlNode {
  if (node.kind === 'comment' || !PERMISSIONS.has(node.name)) return node;
  const { id = '', ref, tag, ...others } = node.attributes;
  return {
    ...node,
    name: 'acl_permission',
    attributes: {
      id,
      kind: node.name,
      ...others,
      ...(ref === undefined ? {} : { reference: ref }),
      ...(tag === undefined ? {} : { 'object-type': tag }),
    },
  };
}
