/* The tree of tsearch and kin. Programs see its shape: twalk tells the depth of each node and which nodes are leaves.
 * So it is balanced as glibc's is, a red-black tree: full nodes are split on the way down, and a removed node takes the
 * key of the next one. */
#include <search.h>
#include <stdlib.h>

enum { LEFT, RIGHT };

/* The key comes first: programs read it through the pointer to the node. */
struct node {
	const void *key;
	struct node *below[2];
	int is_red;
};

typedef int comparison(const void *, const void *);

/* More nodes than a path of the largest tree has, twice for nodes that are rotated into it. */
enum { DEEPEST = 256 };

static int is_red(const struct node *n) { return n && n->is_red; }

/* The place above `*at` and the place above that, and the sides where the way went down. */
struct way {
	struct node **at, **parent, **grandparent;
	int side, parent_side;
};

/* A red node below a red one moves up, so that the grandparent is below one of them. */
static void rotate(struct way *w)
{
	struct node *node = *w->at, *parent = *w->parent, *grandparent = *w->grandparent;
	int side = w->side, other = !side;
	if (side != w->parent_side) {
		parent->is_red = grandparent->is_red = 1;
		node->is_red = 0;
		parent->below[side] = node->below[other];
		node->below[other] = parent;
		grandparent->below[other] = node->below[side];
		node->below[side] = grandparent;
		*w->grandparent = node;
	} else {
		parent->is_red = 0;
		grandparent->is_red = 1;
		*w->grandparent = parent;
		grandparent->below[side] = parent->below[other];
		parent->below[other] = grandparent;
	}
}

static void redden(struct way *w)
{
	struct node *node = *w->at;
	node->is_red = 1;
	for (int side = LEFT; side <= RIGHT; side++)
		if (node->below[side]) node->below[side]->is_red = 0;
	if (w->parent && (*w->parent)->is_red) rotate(w);
}

void *tsearch(const void *key, void **root, comparison *compare)
{
	struct way w = { (struct node **)root };
	struct node *made;
	if (!root) return 0;
	if (*w.at) (*w.at)->is_red = 0;
	while (*w.at) {
		struct node *node = *w.at;
		int order = compare(key, node->key);
		if (!order) return node;
		if (is_red(node->below[LEFT]) && is_red(node->below[RIGHT])) redden(&w);
		w = (struct way){ &node->below[order > 0], w.at, w.parent, order > 0, w.side };
	}
	made = malloc(sizeof *made);
	if (!made) return 0;
	*made = (struct node){ key };
	*w.at = made;
	if (w.parent) redden(&w);
	return made;
}

void *tfind(const void *key, void *const *root, comparison *compare)
{
	struct node *node = root ? *root : 0;
	while (node) {
		int order = compare(key, node->key);
		if (!order) return node;
		node = node->below[order > 0];
	}
	return 0;
}

/* The places above `short_of`, whose way down has one black node too few. */
struct repair {
	struct node **above[DEEPEST];
	int count;
	struct node *short_of;
};

/* The brother of the short side has a red node below it, which makes good what is missing. */
static void borrow(struct node **place, int side)
{
	struct node *parent = *place, *brother = parent->below[!side], *top = brother;
	if (!is_red(brother->below[!side])) {
		top = brother->below[side];
		parent->below[!side] = top->below[side];
		brother->below[side] = top->below[!side];
		top->below[!side] = brother;
	} else {
		brother->below[!side]->is_red = 0;
		parent->below[!side] = brother->below[side];
	}
	top->is_red = parent->is_red;
	parent->is_red = 0;
	top->below[side] = parent;
	*place = top;
}

/* One step up. True if the tree has its balance again. */
static int balance(struct repair *r)
{
	struct node **place = r->above[r->count - 1], *parent = *place;
	int side = r->short_of == parent->below[LEFT] ? LEFT : RIGHT;
	struct node *brother = parent->below[!side];
	if (brother->is_red) {
		brother->is_red = 0;
		parent->is_red = 1;
		parent->below[!side] = brother->below[side];
		brother->below[side] = parent;
		*place = brother;
		place = r->above[r->count++] = &brother->below[side];
		brother = parent->below[!side];
	}
	if (is_red(brother->below[LEFT]) || is_red(brother->below[RIGHT])) {
		borrow(place, side);
		return 1;
	}
	brother->is_red = 1;
	r->short_of = parent;
	r->count--;
	return 0;
}

/* Takes a node with at most one node below it out of the tree. */
static void unchain(struct repair *r, struct node **place)
{
	struct node *node = *place, *below = node->below[LEFT] ? node->below[LEFT] : node->below[RIGHT];
	*place = r->short_of = below;
	if (!node->is_red) {
		while (r->count && !is_red(r->short_of))
			if (balance(r)) return;
		if (r->short_of) r->short_of->is_red = 0;
	}
}

void *tdelete(const void *key, void **root, comparison *compare)
{
	struct repair r = { .count = 0 };
	struct node **place = (struct node **)root, *parent, *node;
	int order;
	if (!root || !*place) return 0;
	parent = *place;
	while ((order = compare(key, (*place)->key))) {
		parent = *place;
		r.above[r.count++] = place;
		place = &parent->below[order > 0];
		if (!*place) return 0;
	}
	node = *place;
	if (node->below[LEFT] && node->below[RIGHT]) {
		struct node *removed = node;
		r.above[r.count++] = place;
		for (place = &node->below[RIGHT]; (*place)->below[LEFT]; place = &(*place)->below[LEFT])
			r.above[r.count++] = place;
		node = *place;
		removed->key = node->key;
	}
	unchain(&r, place);
	free(node);
	return parent;
}

static void walk(const struct node *node, void (*act)(const void *, VISIT, int), int depth)
{
	if (!node->below[LEFT] && !node->below[RIGHT]) {
		act(node, leaf, depth);
		return;
	}
	act(node, preorder, depth);
	if (node->below[LEFT]) walk(node->below[LEFT], act, depth + 1);
	act(node, postorder, depth);
	if (node->below[RIGHT]) walk(node->below[RIGHT], act, depth + 1);
	act(node, endorder, depth);
}

void twalk(const void *root, void (*act)(const void *, VISIT, int))
{
	if (root && act) walk(root, act, 0);
}

static void walk_with(const struct node *node, void (*act)(const void *, VISIT, void *), void *data)
{
	if (!node->below[LEFT] && !node->below[RIGHT]) {
		act(node, leaf, data);
		return;
	}
	act(node, preorder, data);
	if (node->below[LEFT]) walk_with(node->below[LEFT], act, data);
	act(node, postorder, data);
	if (node->below[RIGHT]) walk_with(node->below[RIGHT], act, data);
	act(node, endorder, data);
}

void twalk_r(const void *root, void (*act)(const void *, VISIT, void *), void *data)
{
	if (root && act) walk_with(root, act, data);
}

void tdestroy(void *root, void (*release)(void *))
{
	struct node *node = root;
	if (!node) return;
	tdestroy(node->below[LEFT], release);
	tdestroy(node->below[RIGHT], release);
	release((void *)node->key);
	free(node);
}
